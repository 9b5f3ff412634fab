"""Java itself as the peer: the classes of a schema are generated, compiled and fed our bytes.

The program reads each object and writes it again, so Java says whether it can read what we write, and we read what it
writes.  Needs a JDK; slow, because it compiles.
"""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path

import msgspec
import pytest

from boardwire.dialects.eriantys_objects import messages as eriantys
from boardwire.dialects.santorini_objects.messages import classes as santorini
from boardwire.wire.javastream import Reader, Schema, Writer
from boardwire.wire.javastream.grammar import PRIMITIVES
from boardwire.wire.javastream.layout import Field, JavaClass, Kind

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("javac") and shutil.which("java")), reason="there is no JDK"),
]

VECTORS = json.loads((Path(__file__).parent / "vectors/santorini-objects.json").read_text())

_NAMES = dict(zip("BCDFIJSZ", ["byte", "char", "double", "float", "int", "long", "short", "boolean"], strict=True))

_ECHO = """
import java.io.*;
public class Echo {
    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        for (int count = in.readInt(); count > 0; count--) {
            byte[] data = new byte[in.readInt()];
            in.readFully(data);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                Object read = new ObjectInputStream(new ByteArrayInputStream(data)).readObject();
                ObjectOutputStream objects = new ObjectOutputStream(bytes);
                objects.writeObject(read);
                objects.flush();
            } catch (Exception error) {
                bytes.reset();
                System.err.println(error);
            }
            out.writeInt(bytes.size());
            bytes.writeTo(out);
        }
        out.flush();
    }
}
"""


def build(schema: Schema, folder: Path) -> None:
    """Write and compile the classes of `schema` and the echo program."""
    interfaces = set(_interfaces(schema))
    sources = {"Echo": _ECHO}
    for name in interfaces:
        sources[name] = _unit(name, f"public interface {_simple(name)} {{}}")
    for java in schema.by_type.values():
        sources[java.name] = _unit(java.name, _enum(java) if java.kind is Kind.ENUM else _class(java))
    for name, text in sources.items():
        path = folder / (name.replace(".", "/") + ".java")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    paths = [str(path) for path in folder.rglob("*.java")]
    subprocess.run(["javac", "-nowarn", "-proc:none", "-d", str(folder), *paths], check=True, capture_output=True)


def echo(folder: Path, messages: list[bytes]) -> list[bytes]:
    """What Java writes after it has read each of `messages`; empty where it could not read it."""
    data = struct.pack(">i", len(messages)) + b"".join(struct.pack(">i", len(raw)) + raw for raw in messages)
    command = ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", str(folder), "Echo"]
    done = subprocess.run(command, input=data, check=True, capture_output=True)
    answers, at = [], 0
    while at < len(done.stdout):
        (size,) = struct.unpack_from(">i", done.stdout, at)
        answers.append(done.stdout[at + 4 : at + 4 + size])
        at += 4 + size
    return answers


def _interfaces(schema: Schema) -> list[str]:
    known = {java.name for java in schema.by_type.values()}
    declared = (field.signature for java in schema.by_type.values() for field in java.fields if field.is_object)
    names = [signature[1:-1].replace("/", ".") for signature in declared]
    return [name for name in names if not name.startswith("java.") and name not in known]


def _simple(name: str) -> str:
    return name.rpartition(".")[2]


def _unit(name: str, body: str) -> str:
    return f"package {name.rpartition('.')[0]};\n{body}\n"


def _enum(java: JavaClass) -> str:
    return f"public enum {_simple(java.name)} {{ {', '.join(java.constants)} }}"


def _class(java: JavaClass) -> str:
    parent = f" extends {java.parent.name}" if java.parent else ""
    interface = ", it.polimi.ingsw.model.effects.Effect" if ".effects." in java.name else ""
    fields = "".join(f"    private {_type(field)} {field.name};\n" for field in java.fields)
    hashing = ""
    if java.hash_code:
        names = [field.name for field in java.fields]
        same = " && ".join(f"that.{name} == {name}" for name in names)
        hashing = (
            f"    public int hashCode() {{ return java.util.Objects.hash({', '.join(names)}); }}\n"
            f"    public boolean equals(Object o) {{\n        {_simple(java.name)} that = ({_simple(java.name)}) o;\n"
            f"        return {same};\n    }}\n"
        )
    abstract = "abstract " if java.kind is Kind.ABSTRACT else ""
    return (
        f"public {abstract}class {_simple(java.name)}{parent} implements java.io.Serializable{interface} {{\n"
        f"    private static final long serialVersionUID = {java.suid}L;\n{fields}{hashing}}}"
    )


def _type(field: Field) -> str:
    return _NAMES[field.code] if field.code in PRIMITIVES else field.signature[1:-1].replace("/", ".")


def through_java(schema: Schema, folder: Path, messages: list[msgspec.Struct]) -> list[msgspec.Struct]:
    """The messages after Java has read and written them."""
    build(schema, folder)
    writer = Writer(schema)
    answers = echo(folder, [writer.encode(message) for message in messages])
    return [message for answer in answers for message in Reader(schema).feed(answer)]


@pytest.mark.parametrize(("dialect", "schema"), [("D1", santorini.D1), ("D2", santorini.D2), ("F", santorini.F)])
def test_java_reads_and_writes_every_santorini_message(dialect: str, schema: Schema, tmp_path: Path) -> None:
    raw = [bytes.fromhex(vector["hex"]) for vector in VECTORS if vector["dialect"] == dialect]
    messages = [message for data in raw for message in Reader(schema).feed(data)]
    assert through_java(schema, tmp_path, messages) == messages


def test_java_reads_every_character_and_long_texts(tmp_path: Path) -> None:
    texts = ["", "\0", "caffè", "\u20ac", "\U0001f600!", "x" * 65_535, "\u20ac" * 30_000]
    messages: list[msgspec.Struct] = [santorini.Message(text) for text in texts]
    build(santorini.F, tmp_path)
    writer = Writer(santorini.F)
    raw = [writer.encode(message) for message in messages]
    assert echo(tmp_path, raw) == raw


def test_java_finds_our_sets_in_its_own_order(tmp_path: Path) -> None:
    cells = [santorini.Position(x, y, (x * y) % 4) for x in range(5) for y in range(5)]
    none: frozenset[santorini.Position] = frozenset()
    message = santorini.RequestAction(
        True, False, True, False, 1, frozenset(cells), frozenset(cells[:13]), frozenset(cells[5:14]), none
    )
    assert through_java(santorini.F, tmp_path, [message]) == [message]


def test_java_reads_every_eriantys_message_and_a_graph_that_leads_back_into_itself(tmp_path: Path) -> None:
    player = eriantys.PlayerModel(
        nickname="ada",
        color_tower=eriantys.ColorTower.WHITE,
        profs=(eriantys.ColorPawns.RED, eriantys.ColorPawns.RED),
        student_in_hall={eriantys.ColorPawns.RED: 2, eriantys.ColorPawns.BLUE: 2, eriantys.ColorPawns.PINK: 300},
    )
    hand = tuple(eriantys.AssistantCardModel(priority=value, owner=player) for value in range(1, 11))
    msgspec.structs.force_setattr(player, "deck_assistant_card_model", hand)
    effect = eriantys.AddToHallEffect(students=(eriantys.ColorPawns.PINK,), cost_for_effect=2)
    card = eriantys.CharacterCardModel(character_id=2, effect=effect)
    messages: list[msgspec.Struct] = [
        eriantys.DisplayDeckAndAskCardMessage(nickname="ada", deck=hand),
        eriantys.ReqPlayCharacterCardMessage(nickname="ada", exist_card=True, character_deck=(card,), player=player),
        eriantys.PingMessage(),
        eriantys.MovedMotherNatureMessage(nickname="ada", movement=-3, player_model="ada"),
    ]
    deck, offer, ping, moved = through_java(eriantys.SHIPPED, tmp_path, messages)
    assert ping == messages[2]
    assert moved == messages[3]
    assert isinstance(deck, eriantys.DisplayDeckAndAskCardMessage)
    owner = deck.deck[3].owner
    assert owner is not None
    assert owner.deck_assistant_card_model is deck.deck
    assert owner.student_in_hall == player.student_in_hall
    assert [found.priority for found in deck.deck] == list(range(1, 11))
    assert isinstance(offer, eriantys.ReqPlayCharacterCardMessage)
    assert offer.character_deck == (card,)
