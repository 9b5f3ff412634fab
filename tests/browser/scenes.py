"""Pages of the site as people meet them, each reached by playing: for the checks and the pictures of every page."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from typing import Final, Protocol
from urllib.parse import quote

from playwright.sync_api import Page, WebSocketRoute, expect

from .person import Person, match_of, play_out, until
from .site import Site


class Visit(Protocol):
    """Open the page as a new person."""

    def __call__(self, path: str = "/", **context: object) -> Page: ...


Scene = Callable[[Visit, Site], Page]

LANGUAGES: Final = {"English": "en", "Italiano": "it"}

SKIPS: Final = "skip their turns"

MIDDLE: Final = "01200 03210 12410 00321 00010/1/athena:B3,E2/minotaur:C4,D3"
"""A position of Santorini that shows every height."""


def named(visit: Visit, site: Site, name: str, look: str = "solid", **context: object) -> Page:
    """Open the page as somebody who has told their name, and how they look at Santorini."""
    return visit("/", storage_state=_kept(site, name, look), **context)


def _kept(site: Site, name: str, look: str = "solid") -> dict[str, object]:
    """What a browser remembers of somebody."""
    kept = [{"name": "boardwire.name", "value": name}, {"name": "boardwire.santorini.look", "value": look}]
    return {"cookies": [], "origins": [{"origin": site.address, "localStorage": kept}]}


def empty_lobby(visit: Visit, site: Site) -> Page:
    """Nobody is here yet."""
    page = named(visit, site, "Ada")
    expect(page.get_by_text("No tables at the moment")).to_be_visible()
    expect(page.get_by_text("None yet")).to_be_visible()
    return page


def full_lobby(visit: Visit, site: Site) -> Page:
    """Tables to join and to watch, one with a program that has no name, and a finished match."""
    finished(visit, site)
    Person(named(visit, site, "Bruno"), "Santorini").open_table(Players="3")
    Person(named(visit, site, "Chiara"), "Eriantys").quick_play()
    peer = socket.create_connection(("127.0.0.1", site.ports["tris-lines"]), 10)
    page = named(visit, site, "Ada")
    expect(page.get_by_role("link", name="Watch")).to_have_count(2)  # a match against the computer is nobody else's
    expect(page.get_by_text("Player 1").first).to_be_visible()  # it is called by its seat
    page.on("close", lambda _: peer.close())
    return page


def open_table(visit: Visit, site: Site) -> Page:
    """The form with everything unfolded."""
    page = named(visit, site, "Ada")
    page.get_by_text("More settings").click()
    page.get_by_role("combobox", name="Play", exact=True).select_option(label="My own set-up")
    page.get_by_role("combobox", name="Set-up").select_option(label="These gods")
    page.get_by_role("combobox", name="God of player 1").select_option(label="Athena")
    return page


def settings(visit: Visit, site: Site) -> Page:
    """The menu of name, language and theme."""
    page = named(visit, site, "Ada")
    page.get_by_label("Settings").click()
    expect(page.get_by_role("combobox", name="Theme")).to_be_visible()
    return page


def tris(visit: Visit, site: Site) -> Page:
    """Tris after two marks."""
    page = named(visit, site, "Ada")
    Person(page, "Tris").quick_play()
    page.get_by_role("button", name="row 2, column 2: free").click()
    expect(page.get_by_role("button", name=": O of")).to_have_count(1)
    expect(page.locator(".cell.legal")).to_have_count(7)
    return page


def forza(visit: Visit, site: Site) -> Page:
    """Forza Quattro after four discs of each."""
    page = named(visit, site, "Ada")
    Person(page, "Forza Quattro").quick_play()
    for number, column in enumerate((3, 4, 5, 4), 1):
        expect(page.locator(".column.legal").first).to_be_visible()
        page.get_by_role("button", name=f"Column {column}").click()
        expect(page.locator(".disc:not(.ghost)")).to_have_count(2 * number)
    return page


def waiting(visit: Visit, site: Site) -> Page:
    """A private table, with the link for a friend."""
    page = named(visit, site, "Ada")
    Person(page, "Tris").open_table(private=True)
    expect(page.get_by_text("Waiting for 1 more player.")).to_be_visible()
    return page


def meddle(page: Page, kind: str, **changes: object) -> Page:
    """From now on, requests of this kind that the page sends are changed on their way."""

    def between(wire: WebSocketRoute) -> None:
        server = wire.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            said = json.loads(message)
            server.send(json.dumps(said | changes if said.get("type") == kind else said))

        wire.on_message(pass_on)

    page.route_web_socket("**/ws", between)
    page.reload()
    return page


def refused(visit: Visit, site: Site) -> Page:
    """A move that the server refuses: on its way, the answer is changed for one against the rules."""
    page = meddle(named(visit, site, "Ada"), "act", action=99)
    Person(page, "Tris").quick_play()
    page.get_by_role("button", name="row 2, column 2: free").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def finished(visit: Visit, site: Site) -> Page:
    """The end of a match."""
    ann = Person(named(visit, site, "Ada"), "Tris", seed=5).quick_play()
    play_out(ann)
    return ann.page


def santorini(visit: Visit, site: Site, look: str = "solid", **context: object) -> Page:
    """Santorini in 3D in the middle of a match with gods."""
    page = named(visit, site, "Ada", look, **context)
    page.get_by_text("More settings").click()
    page.get_by_role("combobox", name="Play", exact=True).select_option(label="My own set-up")
    page.get_by_role("combobox", name="Set-up").select_option(label="A given position")
    page.get_by_role("textbox", name="Position").fill(MIDDLE)
    sit_with_bots(page, 2)
    if look == "solid":
        expect(page.locator("canvas")).to_be_visible()
    page.locator(".squares button.can").first.wait_for(state="attached")
    page.mouse.move(0, 0)
    return page


def santorini_flat(visit: Visit, site: Site) -> Page:
    """The same position on the flat board, with a worker picked up."""
    page = santorini(visit, site, "flat")
    page.locator(".squares button.can").first.click()
    page.mouse.move(0, 0)
    return page


def santorini_plain(visit: Visit, site: Site) -> Page:
    """Santorini in 3D without gods, after a few steps."""
    ann = Person(named(visit, site, "Ada", "flat"), "Santorini", seed=2).quick_play()
    steps(ann, 10)
    ann.page.get_by_role("button", name="3D").click()
    expect(ann.page.locator("canvas")).to_be_visible()
    return ann.page


def gods(visit: Visit, site: Site) -> Page:
    """Choosing among all gods."""
    page = named(visit, site, "Ada")
    page.get_by_text("More settings").click()
    page.get_by_role("combobox", name="Play", exact=True).select_option(label="Choose among all gods")
    sit_with_bots(page, 2)
    expect(page.get_by_role("searchbox")).to_be_visible()
    return page


def eriantys(visit: Visit, site: Site, players: int = 2, mode: str = "Simple", many: int = 24) -> Page:
    """Eriantys for two, the simple game, in the middle of a match."""
    page = named(visit, site, "Ada")
    ann = Person(page, "Eriantys", seed=players)
    form = page.get_by_role("region", name="Open a table")
    form.get_by_role("combobox", name="Game").select_option(label="Eriantys")
    page.get_by_text("More settings").click()
    page.get_by_role("combobox", name="Mode").select_option(label=mode)
    form.get_by_role("combobox", name="Players").select_option(label=str(players))
    sit_with_bots(page, players)
    steps(ann, many)
    page.mouse.move(0, 0)
    return page


def eriantys_expert(visit: Visit, site: Site) -> Page:
    """Eriantys for three, with coins and characters."""
    return eriantys(visit, site, 3, "Expert: coins and characters", 40)


def eriantys_teams(visit: Visit, site: Site) -> Page:
    """Eriantys for two teams of two."""
    return eriantys(visit, site, 4, "Expert: coins and characters", 24)


def replay(visit: Visit, site: Site) -> Page:
    """A replay, in the middle of a match."""
    ann = Person(named(visit, site, "Ada", "flat"), "Santorini", seed=3).quick_play()
    page = ann.page
    built = ann.moves.filter(has_text="builds")
    until(page, lambda: built.count() >= 3 or (ann.choose() and False))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider")).to_be_visible()
    page.keyboard.press("End")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    return page


def analysis(visit: Visit, site: Site) -> Page:
    """A replay with what the computer thinks of it."""
    page = replay(visit, site)
    page.get_by_role("button", name="Analyse the match").click()
    expect(page.get_by_role("img", name="Evaluation by turn")).to_be_visible()
    return page


def puzzle(visit: Visit, site: Site) -> Page:
    """A puzzle, and the turn that solves it."""
    page = named(visit, site, "Ada", "flat")
    page.get_by_role("link", name="Puzzle of the day").click()
    page.get_by_role("link", name="Today: Santorini").click()  # the puzzle of the day is of another game every day
    expect(page.get_by_role("button", name="Show the solution")).to_be_visible()
    expect(page.locator(".squares")).to_be_visible()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_role("img", name="The best turn on the board")).to_be_visible()
    return page


def nodes(visit: Visit, site: Site) -> Page:
    """The nodes that serve together; here one server alone."""
    page = named(visit, site, "Ada", "flat")
    page.goto(f"{site.address}/#/nodes")
    expect(page.get_by_role("row", name="This server")).to_contain_text("up")
    return page


def spectator(visit: Visit, site: Site) -> Page:
    """Watching a match of two others."""
    ada = Person(santorini_flat(visit, site), "Santorini")
    page = visit("/#/table/" + match_of(ada.page), storage_state=_kept(site, "Zoe", "flat"))
    expect(page.get_by_text("You are watching")).to_be_visible()
    return page


def absent(visit: Visit, site: Site) -> Page:
    """Three play Santorini where turns pass, and one has gone."""
    ann = Person(named(visit, site, "Ada", "flat"), "Santorini", seed=1)
    ann.page.get_by_text("More settings").click()
    ann.open_table(Players="3", If_a_player_leaves=SKIPS)
    bob = Person(named(visit, site, "Bruno", "flat"), "Santorini", seed=2).sit_down(ann)
    Person(named(visit, site, "Chiara", "flat"), "Santorini", seed=3).sit_down(ann)
    expect(ann.offers.first).to_be_attached()
    expect(bob.page.locator(".squares button").first).to_be_attached()
    bob.page.close()
    expect(ann.page.get_by_text("away, turns are skipped")).to_be_visible()
    for placed in (1, 2):
        until(ann.page, ann.choose)
        expect(ann.moves.filter(has_text="Ada places a worker")).to_have_count(placed)
    expect(ann.moves.filter(has_text="Bruno is away, and is skipped")).to_have_count(2)  # each worker
    return ann.page


def alone(visit: Visit, site: Site) -> Page:
    """The third has gone too."""
    page = absent(visit, site)
    browser = page.context.browser
    assert browser is not None
    browser.contexts[-1].close()
    expect(page.locator(".ask")).to_contain_text(re.compile(r"If nobody comes back within [12]:\d\d, you win\."))
    return page


def deserted(visit: Visit, site: Site, patience: float = 1.0) -> Page:
    """The other player of a match has gone, and the win can be claimed after so many seconds."""
    ann = Person(meddle(named(visit, site, "Ada"), "open", patience=patience), "Tris").open_table()
    bob = Person(named(visit, site, "Bruno"), "Tris").sit_down(ann)
    expect(bob.page.get_by_role("grid", name="Tris board")).to_be_visible()
    bob.page.close()
    expect(ann.page.get_by_text("Bruno is away")).to_be_visible()
    return ann.page


def claim(visit: Visit, site: Site) -> Page:
    """The win can be claimed."""
    page = deserted(visit, site)
    expect(page.get_by_role("button", name="Claim the win", exact=True)).to_be_enabled()
    return page


def watched(visit: Visit, site: Site) -> Page:
    """A match of two that two others watch."""
    ann = Person(named(visit, site, "Ada"), "Tris").open_table()
    page = ann.page
    Person(named(visit, site, "Bruno"), "Tris").sit_down(ann)
    expect(page.locator(".cell.legal")).to_have_count(9)
    for name in ("Zoe", "Yann"):
        visit("/#/table/" + match_of(page), storage_state=_kept(site, name))
    expect(page.get_by_text("2 people watch")).to_be_visible()
    return page


def terms(visit: Visit, site: Site) -> Page:
    """A list with special terms, and one of those tables."""
    page = open_table(visit, site)
    page.get_by_role("combobox", name="Time for each decision").select_option(label="10 seconds")
    page.get_by_role("combobox", name="Thinking time for each player").select_option(label="10 minutes")
    page.get_by_role("combobox", name="If a player leaves").select_option(label=SKIPS)
    page.get_by_role("button", name="Open the table").click()
    zoe = Person(named(visit, site, "Zoe"), "Santorini")
    ada = Person(page, "Santorini")
    expect(zoe.listed(ada)).to_contain_text("special terms")
    zoe.watch(ada)
    expect(zoe.page.get_by_role("heading", name="Terms of this table")).to_be_visible()
    return zoe.page


def lost(visit: Visit, site: Site) -> Page:
    """The server is gone; the words of both languages are there."""
    page = tris(visit, site)
    for language in ("Italiano", "English"):
        speak(page, language)
    site.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    return page


def sit_with_bots(page: Page, players: int) -> None:
    """Give the other seats to the computer and open the table."""
    for seat in range(2, players + 1):
        page.get_by_role("combobox", name=f"Seat {seat}").select_option(label="Computer, good")
    page.get_by_role("button", name="Open the table").click()


def steps(person: Person, many: int) -> None:
    """Choose at random so many times, or until the match is over; then wait until something is asked."""
    for _ in range(many):
        until(person.page, lambda: person.choose() or person.is_over())
    until(person.page, lambda: person.is_asked() or person.is_over())


def computer(visit: Visit, site: Site) -> Page:
    """Choosing how strong the computer plays, and by which rules."""
    page = named(visit, site, "Ada")
    page.get_by_role("button", name="Play the computer: Santorini").click()
    expect(page.get_by_role("combobox", name="Play", exact=True)).to_be_visible()
    return page


def hinted(visit: Visit, site: Site) -> Page:
    """A good turn on the board, and how it stands."""
    page = named(visit, site, "Ada", "flat")
    page.get_by_role("button", name="Play the computer: Santorini").click()
    page.get_by_label("Practice with hints").check()
    page.get_by_role("button", name="Start the game").click()
    steps(Person(page, "Santorini", seed=3), 8)
    page.get_by_role("button", name="Suggest a move").click()
    expect(page.get_by_role("img", name="The best turn on the board")).to_be_visible()
    return page


def running(visit: Visit, site: Site) -> Page:
    """The lobby of somebody with two running matches, while others play and wait."""
    ann = Person(named(visit, site, "Bruno"), "Tris").open_table()
    Person(named(visit, site, "Chiara"), "Tris").sit_down(ann)
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    Person(named(visit, site, "Dario"), "Forza Quattro").open_table()
    page = named(visit, site, "Ada")
    for game in ("Tris", "Forza Quattro"):
        Person(page, game).quick_play()
        expect(page.locator(".legal").first).to_be_visible()
        page.get_by_role("link", name="boardwire").click()
    expect(page.get_by_role("region", name="Running matches").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("list", name="Matches in progress")).to_be_visible()
    return page


def turns(visit: Visit, site: Site) -> Page:
    """A match with its moves as numbered turns."""
    page = finished(visit, site)
    page.get_by_role("button", name="In words").click()
    return page


def keys(visit: Visit, site: Site) -> Page:
    """What the keyboard can do."""
    page = named(visit, site, "Ada")
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    page.keyboard.press("?")
    return page


def guided(visit: Visit, site: Site) -> Page:
    """The first steps of a first game, and why a square cannot be pressed."""
    page = named(visit, site, "Ada", "flat")
    Person(page, "Santorini").quick_play()
    page.locator("[data-square='12']").click()
    expect(page.get_by_role("list", name="Moves")).to_contain_text("c3")
    page.locator("[data-square='12']").click(force=True)
    expect(page.locator(".ask")).to_contain_text("A worker stands there.")
    return page


def undo(visit: Visit, site: Site) -> Page:
    """What would be taken back, marked on the board."""
    ann = Person(named(visit, site, "Ada", "flat"), "Santorini", seed=4).quick_play()
    steps(ann, 6)
    ann.page.get_by_role("button", name="Take back").click()
    return ann.page


def drawn(visit: Visit, site: Site) -> Page:
    """A draw on offer."""
    ann = Person(named(visit, site, "Ada"), "Forza Quattro").open_table()
    bob = Person(named(visit, site, "Bruno"), "Forza Quattro").sit_down(ann)
    for one, column in ((ann, 4), (bob, 3)):
        expect(one.sentence).to_contain_text("Your turn")
        one.page.get_by_role("button", name=f"Column {column}").click()
    expect(ann.sentence).to_contain_text("Your turn")
    ann.page.get_by_role("button", name="Offer a draw").click()
    ann.page.get_by_role("button", name="Yes").click()
    expect(bob.page.get_by_role("alert")).to_contain_text("offers a draw")
    return bob.page


def planned(visit: Visit, site: Site) -> Page:
    """A turn of Santorini that is planned while the other thinks."""
    ann = Person(named(visit, site, "Ada", "flat"), "Santorini").open_table()
    bob = Person(named(visit, site, "Bruno", "flat"), "Santorini").sit_down(ann)
    for one, square in ((ann, 20), (ann, 12), (bob, 4), (bob, 24)):
        expect(one.sentence).to_contain_text("Your turn")
        one.page.locator(f"[data-square='{square}']").click()
        expect(one.page.locator(f"[data-square='{square}']")).to_have_accessible_name(re.compile("worker"))
    expect(ann.sentence).to_contain_text("Your turn")
    for square in (4, 8, 9):
        bob.page.locator(f"[data-square='{square}']").click()
    expect(bob.page.get_by_role("img", name="Your plan on the board")).to_be_visible()
    return bob.page


def undo_eriantys(visit: Visit, site: Site) -> Page:
    """The same in Eriantys: a student that was moved."""
    page = eriantys(visit, site, many=0)
    ann = Person(page, "Eriantys", seed=1)
    until(page, ann.choose)
    expect(page.locator("[data-pick^='student:'][data-lit=true]").first).to_be_visible()
    page.locator("[data-pick^='student:'][data-lit=true]").first.click()
    page.locator("[data-pick=hall]").click()
    expect(ann.moves.filter(has_text="Ada seats")).not_to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    return page


def taken(visit: Visit, site: Site) -> Page:
    """A friend by a link, with a name that is taken."""
    link = waiting(visit, site).get_by_role("textbox", name="Copy link").input_value()
    page = visit("/" + link.split("/", 3)[3])
    page.get_by_role("textbox", name="My name").fill("Ada")
    page.get_by_role("button", name="Sit down at this table").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def locked(visit: Visit, site: Site) -> Page:
    """A private table, without its code."""
    page = waiting(visit, site)
    page = visit("/#/table/" + match_of(page))
    expect(page.get_by_role("heading", name="This table is private.")).to_be_visible()
    return page


def mine(visit: Visit, site: Site) -> Page:
    """The lobby of somebody who has played."""
    page = finished(visit, site)
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("region", name="My matches")).to_be_visible()
    return page


def wire(visit: Visit, site: Site) -> Page:
    """What a client would have seen, beside a replay."""
    page = replay(visit, site)
    page.get_by_role("button", name="Wire").click()
    expect(page.get_by_role("region", name="What a client would have seen")).to_be_visible()
    page.get_by_role("combobox", name="As").select_option("santorini-actions")
    page.locator(".row:not(.later) .arrow").filter(has_text="battlefieldUpdate").last.click()
    return page


def inspected(visit: Visit, site: Site) -> Page:
    """What passes at a table, on a server that is inspected."""
    site.kill()
    site.flags = ["--inspect", "--inspect-token", "a-token-of-twenty-four-characters"]
    site.start()
    ann = Person(named(visit, site, "Ada"), "Tris", seed=4).quick_play()
    ann.page.get_by_role("button", name="Wire").click()
    ann.page.get_by_label("Inspect token").fill("a-token-of-twenty-four-characters")
    ann.page.get_by_role("button", name="Show").click()
    ann.choose()
    expect(ann.page.get_by_role("button", name="act").first).to_be_visible()
    ann.page.get_by_role("button", name="act").first.click()
    return ann.page


def speak(page: Page, language: str) -> None:
    """Change the language in place; the menu, and whatever lies over the page, is as it was then.

    A page in a frame has no menu: it speaks the language that the browser was told elsewhere.
    """
    if page.locator("header").count() == 0:
        page.evaluate("language => localStorage['boardwire.language'] = language", LANGUAGES[language])
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[language])
        expect(page.get_by_role("grid")).to_be_visible()
        return
    menu, modal = page.locator("header details"), page.locator("dialog[open]")
    was_open, over = menu.evaluate("one => one.open"), modal.count() > 0
    if over:
        modal.evaluate("one => one.close()")
    menu.evaluate("one => one.open = true")
    page.get_by_role("combobox", name=re.compile("Language|Lingua")).select_option(label=language)
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[language])
    menu.evaluate("(one, open) => one.open = open", was_open)
    if over:
        page.locator("dialog").evaluate("one => one.showModal()")


def rules(visit: Visit, site: Site) -> Page:
    """The rules of Santorini, at one of its gods."""
    page = visit("/#/rules/santorini/athena")
    expect(page.get_by_role("figure", name="Athena")).to_be_visible()
    return page


def rules_eriantys(visit: Visit, site: Site) -> Page:
    """The rules of Eriantys."""
    page = visit("/#/rules/eriantys")
    expect(page.get_by_role("figure", name="Assistants")).to_be_visible()
    return page


def privacy(visit: Visit, site: Site) -> Page:
    """What is stored about one."""
    page = named(visit, site, "Ada")
    page.goto(f"{site.address}/#/privacy")
    expect(page.get_by_role("button", name="Download my data")).to_be_enabled()
    return page


def report(visit: Visit, site: Site) -> Page:
    """A player reports the other one."""
    host = Person(named(visit, site, "Bruno"), "Tris").open_table()
    page = named(visit, site, "Ada")
    Person(page, "Tris").sit_down(host)
    page.get_by_text("Report", exact=True).click()
    expect(page.get_by_role("button", name="Send the report")).to_be_visible()
    return page


def administer(visit: Visit, site: Site, tab: str = "") -> Page:
    """Open the page of administration with an access token."""
    token = site.admin("token").strip()
    page = named(visit, site, "Ada")
    page.goto(f"{site.address}/#/admin/{tab}")
    until(page, lambda: bool(page.request.get(f"{site.address}/api/caller", headers=bearer(token)).json().get("role")))
    page.get_by_label("Access token").fill(token)
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("navigation", name="Administration")).to_be_visible()
    return page


def bearer(token: str) -> dict[str, str]:
    """The header that shows a token."""
    return {"Authorization": f"Bearer {token}"}


def admin_tables(visit: Visit, site: Site) -> Page:
    """A moderator sees the tables, with what can be banned."""
    host = Person(named(visit, site, "Bruno"), "Tris").open_table()
    Person(named(visit, site, "Chiara"), "Tris").sit_down(host)
    Person(named(visit, site, "Dora"), "Santorini").open_table(private=True)
    page = administer(visit, site)
    expect(page.get_by_role("button", name="Close the table")).to_have_count(2)
    return page


def admin_bans(visit: Visit, site: Site) -> Page:
    """A ban, a mute and the reasons."""
    site.admin("token")
    site.admin("ban", "203.0.113.0/24", "--for", "7d", "--reason", "floods the lobby with tables")
    site.admin("mute", "2001:db8:1:2::/64", "--for", "1h", "--reason", "insults")
    page = administer(visit, site, "bans")
    expect(page.get_by_role("button", name="Lift")).to_have_count(2)
    return page


def announced(visit: Visit, site: Site) -> Page:
    """The operators announce something."""
    page = named(visit, site, "Ada")
    site.admin("token")
    site.admin("announce", "The server restarts at nine. Matches go on after that.")
    expect(page.get_by_text("The server restarts at nine")).to_be_visible()
    return page


def claimed(visit: Visit, name: str) -> Page:
    """Open the page in a browser and claim a name with a recovery code."""
    page = visit("/#/account")
    claim = page.get_by_role("heading", name="Claim a name").locator("..")
    claim.get_by_label("My name").fill(name)
    claim.get_by_role("button", name="Claim this name").click()
    page.get_by_role("button", name="I have stored it").click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    return page


def account(visit: Visit, site: Site) -> Page:
    """A guest can claim a name or sign in."""
    page = visit("/#/account")
    expect(page.get_by_role("heading", name="Claim a name")).to_be_visible()
    return page


def signed_in(visit: Visit, site: Site) -> Page:
    """A player's own account."""
    return claimed(visit, "Ada")


def league(visit: Visit, site: Site) -> tuple[Page, str]:
    """Play a rated round robin of bots, each with more than the ten matches that a rank needs; return its id too."""
    page = claimed(visit, "Ada")
    token = page.evaluate("localStorage['boardwire.token']")
    setup = {"name": "Bot league", "game": "forza", "format": "round-robin", "rated": True, "pause": 0}
    bots = [{"bot": "greedy", "count": 6}, {"bot": "search:1", "count": 6}]
    address = f"{site.address}/api/tournaments"
    made = page.request.post(address, headers=bearer(token), data={"setup": setup, "name": "Ada", "bots": bots}).json()
    assert page.request.post(f"{address}/{made['id']}/start", headers=bearer(token), data={}).ok
    until(page, lambda: page.request.get(f"{address}/{made['id']}").json()["status"] == "over")
    return page, made["id"]


def leaderboard(visit: Visit, site: Site) -> Page:
    """Ranked bots, with the distribution of their ratings."""
    page, _ = league(visit, site)
    page.goto(f"{site.address}/#/leaderboard")
    expect(page.get_by_role("link", name="greedy bot")).to_be_visible()
    return page


def profile(visit: Visit, site: Site) -> Page:
    """A player with a rating and finished matches."""
    page = leaderboard(visit, site)
    page.get_by_role("link", name="greedy bot").click()
    expect(page.get_by_role("img", name=re.compile("Rating over"))).to_be_visible()
    return page


def tournament(visit: Visit, site: Site) -> Page:
    """A tournament that is over, with its standings and pairings."""
    page, number = league(visit, site)
    page.goto(f"{site.address}/#/tournaments/{number}")
    expect(page.get_by_role("row")).to_have_count(13)
    return page


def tournaments(visit: Visit, site: Site) -> Page:
    """The list of tournaments beside the form for a new one."""
    page, _ = league(visit, site)
    page.goto(f"{site.address}/#/tournaments")
    expect(page.get_by_role("link", name="Bot league")).to_be_visible()
    return page


def embedded(visit: Visit, site: Site) -> Page:
    """A finished match as another site shows it in a frame."""
    page = finished(visit, site)
    page.goto(f"{site.address}/embed/{match_of(page)}")
    expect(page.get_by_role("grid", name="Tris board")).to_be_visible()
    return page


def explored(visit: Visit, site: Site) -> Page:
    """The analysis board with a variation and the engine's lines."""
    page = named(visit, site, "Ada", "flat")
    page.goto(f"{site.address}/#/analysis/santorini/{quote(f'position:{MIDDLE}', safe='')}")
    turns = page.get_by_role("group", name="Variations").get_by_role("button")
    lines = {(19, 18, 19): ["E2>D2 D2^E2"], (19, 24, 23): ["E2>D2", "E2>E1 E1^D1", "D2^E2"]}
    for squares, shown in lines.items():
        expect(page.locator("[aria-current=step]")).to_have_count(0)
        for square in squares:
            page.locator(f"[data-square='{square}'].can").click()
        expect(turns).to_have_count(len(shown))
        if shown == ["E2>D2 D2^E2"]:
            expect(turns).to_have_text(shown)
            page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("region", name="Engine").get_by_role("listitem")).to_have_count(1)
    return page


def set_up(visit: Visit, site: Site) -> Page:
    """A position that is being set up."""
    page = explored(visit, site)
    page.keyboard.press("Home")
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_role("group", name="Board to set up")).to_be_visible()
    return page


def set_up_eriantys(visit: Visit, site: Site) -> Page:
    """The counts of Eriantys as a form."""
    page = named(visit, site, "Ada")
    page.goto(f"{site.address}/#/analysis/eriantys")
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_text("Islands and towers").click()
    expect(page.get_by_role("group", name="Dining room").first).to_be_visible()
    return page


def puzzle_of(game: str) -> Scene:
    """A puzzle of a game, with its solution."""

    def scene(visit: Visit, site: Site) -> Page:
        page = named(visit, site, "Ada")
        known = page.request.get(f"{site.address}/api/puzzles").json()
        page.goto(f"{site.address}/#/puzzles/{known['daily'][game]}")
        page.get_by_role("button", name="Show the solution").click()
        expect(page.get_by_text("Solution:")).to_be_visible()
        return page

    return scene


SCENES: Final[dict[str, Scene]] = {
    "lobby-empty": empty_lobby,
    "lobby-full": full_lobby,
    "open-table": open_table,
    "settings": settings,
    "waiting": waiting,
    "tris": tris,
    "forza": forza,
    "refused": refused,
    "finished": finished,
    "santorini": santorini,
    "santorini-flat": santorini_flat,
    "santorini-plain": santorini_plain,
    "gods": gods,
    "eriantys-2": eriantys,
    "eriantys-3": eriantys_expert,
    "eriantys-4": eriantys_teams,
    "replay": replay,
    "wire": wire,
    "inspected": inspected,
    "analysis": analysis,
    "puzzle": puzzle,
    "puzzle-forza": puzzle_of("forza"),
    "puzzle-eriantys": puzzle_of("eriantys"),
    "explored": explored,
    "set-up": set_up,
    "set-up-eriantys": set_up_eriantys,
    "nodes": nodes,
    "spectator": spectator,
    "absent": absent,
    "alone": alone,
    "claim": claim,
    "watched": watched,
    "terms": terms,
    "lost": lost,
    "computer": computer,
    "keys": keys,
    "guided": guided,
    "undo": undo,
    "draw": drawn,
    "planned": planned,
    "undo-eriantys": undo_eriantys,
    "taken": taken,
    "locked": locked,
    "mine": mine,
    "hinted": hinted,
    "running": running,
    "turns": turns,
    "rules": rules,
    "rules-eriantys": rules_eriantys,
    "privacy": privacy,
    "report": report,
    "admin": admin_tables,
    "admin-bans": admin_bans,
    "announced": announced,
    "account": account,
    "signed-in": signed_in,
    "leaderboard": leaderboard,
    "profile": profile,
    "tournaments": tournaments,
    "tournament": tournament,
    "embedded": embedded,
}

FRESH: Final = frozenset({
    "lobby-empty", "lobby-full", "lost", "inspected", "admin", "admin-bans", "announced",
    "signed-in", "leaderboard", "profile", "tournaments", "tournament",
})  # fmt: skip
"""Those that need a server of their own: they stop it, or show all that is in its lists."""
