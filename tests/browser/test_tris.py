"""Tris in a real browser: the frame round every board is tried here, with the quickest of the games."""

from __future__ import annotations

import socket

import pytest
from playwright.sync_api import expect

from .conftest import Open
from .person import Person, join_as, match_of, play_out, until
from .scenes import meddle
from .site import Site

TRIS = "Tris"


def pair(visit: Open) -> tuple[Person, Person]:
    """Two people at one table."""
    ann = Person(visit(), TRIS, seed=1).open_table()
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    bob = Person(visit(), TRIS, seed=2).sit_down(ann)
    expect(bob.page.get_by_text("Waiting for").or_(bob.page.get_by_text("Your turn"))).to_be_visible()
    return ann, bob


def mark(person: Person, row: int, column: int) -> None:
    """Mark a cell."""
    person.page.get_by_role("button", name=f"row {row}, column {column}: free").click()


def test_two_people_play_to_the_end_and_play_again(visit: Open) -> None:
    ann, bob = pair(visit)
    for person, row, column in ((ann, 1, 1), (bob, 2, 1), (ann, 1, 2), (bob, 2, 2), (ann, 1, 3)):
        mark(person, row, column)
        for one in (ann, bob):
            expect(one.page.get_by_role("button", name=f"row {row}, column {column}: free")).to_have_count(0)
    expect(ann.sentence).to_contain_text("You win!")
    expect(bob.sentence).to_contain_text("won with three in a line")
    first = match_of(ann.page)
    for person in (ann, bob):
        person.page.get_by_role("button", name="Rematch").click()
    expect(bob.sentence).to_contain_text("Your turn")
    assert match_of(bob.page) == match_of(ann.page) != first
    play_out(ann, bob)


def test_one_person_plays_the_computer(visit: Open) -> None:
    ann = Person(visit(), TRIS).quick_play()
    play_out(ann)


def test_a_friend_comes_by_a_private_link(visit: Open) -> None:
    ann = Person(visit(), TRIS, seed=1).open_table(private=True)
    address = ann.page.get_by_role("textbox", name="Copy link").input_value()
    open_one = Person(visit(), TRIS).open_table()
    stranger = Person(visit(), TRIS)
    expect(stranger.listed(open_one)).to_have_count(1)
    expect(stranger.listed(ann)).to_have_count(0)
    bob = Person(visit("/" + address.split("/", 3)[3]), TRIS, seed=2)
    bob.page.get_by_role("button", name="Sit down at this table").click()
    play_out(ann, bob)


@pytest.mark.own_server
def test_a_client_of_the_text_protocol_sits_at_the_same_table(visit: Open, site: Site) -> None:
    ann = Person(visit(), TRIS, seed=3).open_table()
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    with socket.create_connection(("127.0.0.1", site.ports["tris-lines"]), 10) as peer, peer.makefile("r") as lines:
        expect(ann.page.get_by_text("tris-lines")).to_be_visible()
        said: list[str] = []
        boards: list[str] = []
        for row, column, answer in ((2, 2, 0), (3, 3, 1), (3, 1, 2)):
            mark(ann, row, column)
            while not (said and said[-1].endswith(",")):
                said.append(next(lines).strip())
            boards.append(said.pop())
            peer.sendall(f"{answer}\n".encode())
            expect(ann.page.get_by_role("button", name=f"row 1, column {answer + 1}: O of")).to_be_visible()
        assert boards == ["0,0,0,0,1,0,0,0,0,", "2,0,0,0,1,0,0,0,1,", "2,2,0,0,1,0,1,0,1,"]
        ann.expect_over()
        expect(ann.sentence).to_contain_text("won with three in a line")


def test_a_reload_in_mid_game_goes_on(visit: Open) -> None:
    ann, bob = pair(visit)
    mark(ann, 2, 2)
    expect(bob.sentence).to_contain_text("Your turn")
    bob.page.reload()
    expect(bob.page.get_by_role("button", name="row 2, column 2: X of")).to_be_visible()
    mark(bob, 1, 1)
    expect(ann.sentence).to_contain_text("Your turn")
    play_out(ann, bob)


@pytest.mark.own_server
def test_a_killed_and_restarted_server_goes_on(visit: Open, site: Site) -> None:
    ann, bob = pair(visit)
    mark(ann, 2, 2)
    expect(bob.sentence).to_contain_text("Your turn")
    site.kill()
    for person in (ann, bob):
        expect(person.page.get_by_text("Connection lost")).to_be_visible()
    site.start()
    expect(bob.page.get_by_text("Connected", exact=True)).to_be_visible()
    expect(ann.page.get_by_text("Connected", exact=True)).to_be_visible()
    expect(bob.page.get_by_role("button", name="row 2, column 2: X of")).to_be_visible()
    mark(bob, 1, 1)
    play_out(ann, bob)


def test_a_spectator_follows_live_and_can_do_nothing(visit: Open) -> None:
    ann, bob = pair(visit)
    zoe = Person(visit(), TRIS).watch(ann)
    expect(zoe.page.get_by_text("You are watching")).to_be_visible()
    mark(ann, 3, 3)
    expect(zoe.page.get_by_role("button", name="row 3, column 3: X of")).to_be_visible()
    assert not zoe.is_asked()
    expect(zoe.page.get_by_role("button", name="Resign")).to_have_count(0)
    play_out(ann, bob)
    zoe.expect_over()


def test_a_replay_is_stepped_through_and_a_position_has_an_address(visit: Open, site: Site) -> None:
    ann, bob = pair(visit)
    for person, row, column in ((ann, 1, 1), (bob, 2, 1), (ann, 1, 2), (bob, 2, 2), (ann, 1, 3)):
        mark(person, row, column)
        expect(ann.page.get_by_role("button", name=f"row {row}, column {column}: free")).to_have_count(0)
    ann.page.get_by_role("link", name="Replay").click()
    page = ann.page
    expect(page.get_by_role("heading", name="Replay of Tris")).to_be_visible()
    crosses = page.get_by_role("button", name=": X of")
    page.keyboard.press("End")
    expect(crosses).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    marks = page.get_by_role("button", name=" of ").filter(has_not_text="Moves")
    shown = marks.count()
    address = page.url
    page.keyboard.press("Home")
    expect(crosses).to_have_count(0)
    page.get_by_role("slider").fill("1000")
    expect(crosses).to_have_count(3)
    other = visit("/" + address.split("/", 3)[3])
    expect(other.get_by_role("button", name=": X of").or_(other.get_by_role("button", name=": O of"))).to_have_count(
        shown
    )


def test_a_match_is_found_among_the_finished_ones(visit: Open) -> None:
    ann, bob = pair(visit)
    play_out(ann, bob)
    ann.page.get_by_role("button", name="Leave").click()
    finished = ann.page.get_by_role("region", name="Finished matches")
    finished.get_by_role("link", name="Replay").first.click()
    expect(ann.page.get_by_role("heading", name="Replay of Tris")).to_be_visible()


@pytest.mark.own_server
def test_a_long_list_of_finished_matches_is_read_page_by_page(visit: Open, site: Site) -> None:
    programs = [join_as(site, "tris-lines", "tris", games=9, seed=seed) for seed in (1, 2)]
    assert [program.wait(30) for program in programs] == [0, 0]
    page = visit()
    finished = page.get_by_role("region", name="Finished matches")
    expect(finished.get_by_role("link", name="Replay")).to_have_count(8)
    finished.get_by_role("button", name="Older ones").click()
    expect(finished.get_by_role("link", name="Replay")).to_have_count(9)
    expect(finished.get_by_role("button", name="Older ones")).to_have_count(0)


def test_talk_undo_and_resignation(visit: Open) -> None:
    ann, bob = pair(visit)
    ann.page.get_by_role("textbox", name="Say something…").fill("good luck <b>!</b>")
    ann.page.keyboard.press("Enter")
    expect(bob.page.get_by_role("list", name="Chat")).to_contain_text("good luck <b>!</b>")
    mark(ann, 1, 1)
    mark(bob, 2, 2)
    expect(ann.sentence).to_contain_text("Your turn")
    ann.page.get_by_role("button", name="Take back").click()
    question = ann.page.get_by_role("alertdialog")
    expect(question).to_contain_text("marked row 1, column 1” and the 1 step after it?")
    expect(ann.page.locator(".cell.doomed")).to_have_count(2)
    question.get_by_role("button", name="Yes").click()
    expect(bob.page.get_by_role("alert")).to_contain_text(
        "marked row 1, column 1” and the 1 step after it. Do you agree?"
    )
    expect(bob.page.locator(".cell.doomed")).to_have_count(2)
    bob.page.get_by_role("button", name="Agree").click()
    for person in (ann, bob):
        expect(person.page.locator(".cell.doomed")).to_have_count(0)
        expect(person.moves.filter(has_text="taken back").filter(has_text="marked")).to_have_count(2)
    expect(ann.page.get_by_role("button", name="row 1, column 1: free")).to_be_visible()
    expect(ann.sentence).to_contain_text("Your turn")
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.get_by_role("button", name="Yes").click()
    expect(ann.sentence).to_contain_text("You win!")


def test_a_clock_that_runs_out_is_not_shown_as_a_resignation(visit: Open) -> None:
    page = meddle(visit(), "open", per_move=3.0)
    page.get_by_text("More settings").click()
    ann = Person(page, "Santorini").open_table(Time_for_each_decision="10 seconds")
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    bob = Person(visit(), "Santorini").sit_down(ann)
    expect(ann.page.get_by_role("timer").first).to_be_visible()
    expect(bob.sentence).to_contain_text("You win!")
    expect(ann.moves.filter(has_text="ran out of time")).to_have_count(1)
    for person in (ann, bob):
        expect(person.page.get_by_text("gave up")).to_have_count(0)


def test_the_keyboard_alone_plays_a_whole_match(visit: Open) -> None:
    page = visit()
    page.keyboard.press("Tab")
    ann = Person(page, TRIS)
    for _ in range(40):
        label = page.evaluate("document.activeElement.closest('li.game')?.innerText + document.activeElement.innerText")
        if label and TRIS in label and "Play the computer" in label.rpartition("\n")[2]:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start the game")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("grid", name="Tris board")).to_be_visible()
    for _ in range(40):
        if page.evaluate("document.activeElement.closest('[role=grid]') !== null"):
            break
        page.keyboard.press("Tab")
    legal = page.locator(".cell.legal")
    for _ in range(9):
        until(page, lambda: legal.count() > 0 or ann.is_over())
        if ann.is_over():
            return
        here, there = page.evaluate("""() => {
            const cells = [...document.querySelectorAll('.cell')];
            return [cells.indexOf(document.activeElement), cells.findIndex((cell) => cell.classList.contains('legal'))];
        }""")
        assert here >= 0, "the focus left the board"
        for distance, forth, back in (
            (there // 3 - here // 3, "ArrowDown", "ArrowUp"),
            (there % 3 - here % 3, "ArrowRight", "ArrowLeft"),
        ):
            for _ in range(abs(distance)):
                page.keyboard.press(forth if distance > 0 else back)
        seen = ann.moves.count()
        page.keyboard.press("Enter")
        expect(ann.moves).not_to_have_count(seen)
    raise AssertionError("the match did not end")


def test_a_move_comes_to_the_other_screen_unasked(visit: Open) -> None:
    ann, bob = pair(visit)
    asked: list[str] = []
    bob.page.wait_for_load_state("networkidle")
    bob.page.on("request", lambda request: asked.append(request.url))
    mark(ann, 1, 1)
    expect(bob.page.get_by_role("button", name="row 1, column 1: X of")).to_be_visible()
    assert asked == [], "a page that asks now and then is late"


def test_the_lobby_needs_little(visit: Open) -> None:
    page = visit()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    fetched: list[tuple[str, int]] = page.evaluate(
        """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .filter(one => one.initiatorType !== 'fetch')
            .map(one => [one.name, one.encodedBodySize])"""
    )
    assert len(fetched) <= 15, fetched
    assert sum(size for _, size in fetched) < 80_000, fetched


@pytest.mark.parametrize(("language", "words"), [("it", "A che cosa giochiamo?"), ("en", "What shall we play?")])
def test_the_page_speaks_the_language_of_the_browser(visit: Open, language: str, words: str) -> None:
    page = visit(locale={"it": "it-IT", "en": "en-GB"}[language])
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("heading", name=words)).to_be_visible()


@pytest.mark.own_server
def test_a_language_that_cannot_be_loaded_is_reported_and_loaded_later(visit: Open, site: Site) -> None:
    page = visit()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    page.get_by_text("More settings").click()  # with words of a game, of which the browser has the English ones
    expect(page.get_by_role("combobox", name="Play", exact=True)).to_be_visible()
    site.kill()
    page.get_by_label("Settings").first.click()
    page.get_by_role("combobox", name="Language").select_option(label="Italiano")
    expect(page.get_by_text("Italiano could not be loaded")).to_be_visible()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    site.start()
    expect(page.get_by_role("heading", name="A che cosa giochiamo?")).to_be_visible()
    expect(page.get_by_role("combobox", name="Lingua")).to_have_value("it")


@pytest.mark.own_server
def test_a_lost_server_is_reported_and_found_again(visit: Open, site: Site) -> None:
    page = visit()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    site.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    site.start()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
