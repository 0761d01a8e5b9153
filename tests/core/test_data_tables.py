"""A data file of ours is read whole or refused, with its name and the key that is wrong."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from core.data_tables import DataTableError, LazyTable, read_table
from core.secrets.forms import read_patterns
from core.taxonomy import catalogue, rows

Weight = Literal["light", "heavy"]


@dataclass(frozen=True)
class Size:
    width: int = 1


@dataclass(frozen=True)
class Lamp:
    name: str
    weight: Weight
    then: Weight | None = None
    words: tuple[str, ...] = ()
    size: Size = Size()
    is_lit: bool = False


def lamp(tmp_path: Path, text: str) -> Lamp:
    file = tmp_path / "lamps.toml"
    file.write_text(f"[desk]\n{text}")
    return read_table(file).table("desk").row(Lamp, name="desk")


def test_a_row_is_read_as_its_class_describes_it(tmp_path: Path) -> None:
    text = 'weight = "heavy"\nthen = "light"\nwords = ["a", "b"]\nsize.width = 3\nis_lit = true'
    assert lamp(tmp_path, text) == Lamp("desk", "heavy", "light", ("a", "b"), Size(3), True)
    assert lamp(tmp_path, 'weight = "light"') == Lamp("desk", "light")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "lamps.toml: desk: weight is missing"),
        ('weight = "blue"', "lamps.toml: desk: weight: 'blue' is none of light, heavy"),
        ('weight = "light"\nthen = "dark"', "desk: then: 'dark' is none of light, heavy"),
        ('weight = "light"\nwords = [1]', "desk: words: 1 is no str"),
        ('weight = "light"\nwords = "a"', "desk: words: 'a' is no tuple"),
        ('weight = "light"\nis_lit = 1', "desk: is_lit: 1 is no bool"),
        ('weight = "light"\nsize = 2', "desk: size: 2 is no Size"),
        ('weight = "light"\nsize.width = "2"', "desk: size: width: '2' is no int"),
        ('weight = "light"\nsize.depth = 2', "desk: size: unknown key depth"),
        ('weight = "light"\ncolour = "red"', "lamps.toml: desk: unknown key colour"),
        ("weight =", "lamps.toml: Invalid value (at "),
    ],
)
def test_what_does_not_fit_is_named_with_its_file_and_key(
    tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises(DataTableError) as error:
        lamp(tmp_path, text)
    assert says in str(error.value)


def test_tables_are_given_in_the_order_asked_for_and_no_other_is_let_pass(tmp_path: Path) -> None:
    file = tmp_path / "lamps.toml"
    file.write_text("[b]\n[a]\n[c]\nd = 1")
    table = read_table(file)
    assert [key for key, _ in table.tables()] == ["b", "a", "c"]
    assert [key for key, _ in table.tables_of(("a", "b", "c", "z"))] == ["a", "b", "c"]
    with pytest.raises(DataTableError, match=r"lamps\.toml: unknown key c"):
        table.tables_of(("a", "b"))
    with pytest.raises(DataTableError, match=r"lamps\.toml: c: d: a table is missing"):
        list(table.table("c").tables())
    with pytest.raises(DataTableError, match=r"lamps\.toml: z: a table is missing"):
        table.table("z")
    with pytest.raises(DataTableError, match=r"lamps\.toml: c: d: 1 is none of 2, 3"):
        table.table("c").word("d", (2, 3))
    assert table.table("c").word("d", (0, 1)) == 1


def test_a_file_of_the_taxonomy_with_a_wrong_word_is_refused(tmp_path: Path) -> None:
    text = catalogue.DATA.read_text("utf-8")
    broken = tmp_path / catalogue.DATA.name
    broken.write_text(text.replace('severity = "FATAL"', 'severity = "GRAVE"', 1), "utf-8")
    entry = read_table(broken).table("ERR-INT-001")
    with pytest.raises(DataTableError, match=r"catalogue\.toml: ERR-INT-001: severity: 'GRAVE'"):
        entry.row(catalogue.CatalogueEntry, code="ERR-INT-001")


def test_a_lazy_table_reads_when_it_is_first_asked_and_only_then() -> None:
    reads: list[str] = []

    def read() -> dict[str, int]:
        reads.append("read")
        return {"a": 1, "b": 2}

    table = LazyTable(read)
    assert reads == []
    assert (table["b"], list(table), len(table), "c" in table) == (2, ["a", "b"], 2, False)
    assert reads == ["read"]


def test_a_row_that_names_an_unknown_fact_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.toml"
    for key in ("fact", "only_if"):
        file.write_text(f'[x.y]\nsource = "Here"\n{key} = "odd"')
        with pytest.raises(DataTableError) as error:
            rows.rows_by(read_table(file).table("x"), ("y",))
        assert str(error.value).startswith("rows.toml: x: y: ")
    file.write_text('[x.y.z]\nsource = "Here"\nfact = "odd"')
    with pytest.raises(DataTableError, match="'odd' is none of None, always"):
        rows.rows_by(read_table(file).table("x"), ("y",))
    file.write_text('[x.y.z]\nsource = "Here"\nonly_if = "config"')
    (row,) = rows.rows_by(read_table(file).table("x"), ("y",))
    assert (row.name, row.gives, row.only_if) == ("y/z", "y", "config")


def test_the_tables_of_a_list_are_told_by_their_number(tmp_path: Path) -> None:
    file = tmp_path / "lamps.toml"
    file.write_text('[[lamp]]\nname = "a"\nweight = "light"\n[[lamp]]\nname = "b"')
    first, second = read_table(file).listed("lamp")
    assert first.row(Lamp) == Lamp("a", "light")
    with pytest.raises(DataTableError, match=r"lamps\.toml: lamp\[2\]: weight is missing"):
        second.row(Lamp)
    with pytest.raises(DataTableError, match=r"lamps\.toml: desk: a list of tables is missing"):
        read_table(file).listed("desk")


def test_the_lines_of_a_text_are_put_together(tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    file.write_text('a = "x"\nb = ["y", "z"]')
    assert read_table(file).texts() == {"a": "x", "b": "yz"}
    file.write_text("a = [1]")
    with pytest.raises(DataTableError, match=r"parts\.toml: a: \[1\] is no text"):
        read_table(file).texts()


ROW = 'kind = "lamp-key"\nlabel = "a lamp key"\nsign = "lamp-"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ROW, "lamps.toml: pattern[1]: lamp-key needs a body or a whole"),
        (f'{ROW}body = "a"\nwhole = "b"', "lamps.toml: pattern[1]: lamp-key needs a body"),
        (f'{ROW}body = "{{bulb}}"', "lamps.toml: pattern[1]: no part is called 'bulb'"),
        (
            f'{ROW}body = "a"\ncheck = "odd"',
            "lamps.toml: pattern[1]: check: 'odd' is none of None, ",
        ),
    ],
)
def test_a_pattern_of_a_credential_that_cannot_be_is_named(
    tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "lamps.toml"
    file.write_text(f"[parts]\n[[pattern]]\n{text}")
    with pytest.raises(DataTableError) as error:
        list(read_patterns(file))
    assert says in str(error.value)
