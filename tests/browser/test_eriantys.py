"""Eriantys in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Open
from .person import Person, join_as, play_out, until
from .site import Site

ERIANTYS = "Eriantys"


def test_two_people_play_two_rounds_and_both_see_the_same(visit: Open) -> None:
    ann = Person(visit(reduced_motion="reduce"), ERIANTYS, seed=1).open_table()
    bob = Person(visit(reduced_motion="reduce"), ERIANTYS, seed=2).sit_down(ann)

    def third_round() -> bool:
        for person in (ann, bob):
            person.choose()
        return ann.moves.filter(has_text="Round 3").count() > 0

    until(ann.page, third_round)
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Yes").click()
    expect(bob.sentence).to_contain_text("You win!")
    expect(ann.moves.filter(has_text="resigned")).to_have_count(1)
    hers, his = (person.moves.all_inner_texts() for person in (ann, bob))
    begins = "The match begins"
    assert hers[hers.index(begins) :] == his[his.index(begins) :]


def test_a_browser_plays_a_program_of_the_documents_protocol_to_the_end(visit: Open, site: Site) -> None:
    ann = Person(visit(reduced_motion="reduce"), ERIANTYS, seed=1).open_table()
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    program = join_as(site, "eriantys-messages", "eriantys", name="cleo", seed=1)
    try:
        expect(ann.page.get_by_text("eriantys-messages")).to_be_visible()
        play_out(ann)
        assert program.wait(60) == 0
    finally:
        program.kill()
        program.wait(10)


def test_the_keyboard_alone_plays_a_round(visit: Open) -> None:
    ann = Person(visit(reduced_motion="reduce"), ERIANTYS, seed=1).quick_play()
    page = ann.page

    def second_round() -> bool:
        if ann.moves.filter(has_text="Round 2").count():
            return True
        if ann.is_asked():
            for _ in range(60):
                if page.evaluate("document.activeElement.dataset.lit === 'true'"):
                    page.keyboard.press("Enter")
                    break
                page.keyboard.press("Tab")
        return False

    until(page, second_round)
