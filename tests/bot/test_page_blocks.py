"""Block Kit in the page: every block and every control, as a browser would read it."""

import json
from typing import Any

import pytest

from bot.devtools.workspace.page.draw.blocks import emoji_of, message_body, view_body
from bot.devtools.workspace.values import Names
from tests.support.page_reading import Read, assert_harmless

Json = dict[str, Any]
NAMES = Names({"U1": "Ada", "U2": "Bob Lee"}, {"C1": "general", "G1": "private-den"})


def plain(text: str, **extra: Any) -> Json:
    return {"type": "plain_text", "text": text, **extra}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def shown(*blocks: Json) -> Read:
    return assert_harmless(message_body(blocks, "fallback", NAMES, scope="1.2", viewer="U1"))


def said(text: str) -> Read:
    return assert_harmless(message_body([], text, NAMES, scope="1.2", viewer="U1"))


def modal(*blocks: Json, **extra: Any) -> Read:
    return assert_harmless(
        view_body({"id": "V1", "type": "modal", "blocks": list(blocks)}, NAMES, **extra)
    )


def test_a_message_without_blocks_shows_its_text() -> None:
    assert said("Hello *world*").one("strong").text == "world"


def test_a_header_is_one() -> None:
    assert shown({"type": "header", "text": plain("Steps")}).one("h3").text == "Steps"


def test_what_is_not_known_is_a_grey_line() -> None:
    (line,) = shown({"type": "marquee"}).classed("bk-unshown")
    assert line.text == "This part can't be shown here"


def test_a_button_says_what_it_does_when_pressed() -> None:
    button = {
        "type": "button",
        "text": plain("Go on"),
        "action_id": "menu:continue",
        "value": '"><script>',
        "style": "primary",
        "confirm": {
            "title": plain("Sure?"),
            "text": mrkdwn("It *ends* here, <@U1>"),
            "confirm": plain("Yes"),
            "deny": plain("No"),
            "style": "danger",
        },
    }
    pressed = shown({"type": "actions", "block_id": "b1", "elements": [button]}).one("button")
    assert pressed.text == "Go on"
    assert pressed.attributes["type"] == "button"
    assert pressed.attributes["class"] == "bk-button bk-primary"
    assert pressed.attributes["data-action-id"] == "menu:continue"
    assert pressed.attributes["data-block-id"] == "b1"
    assert pressed.attributes["data-value"] == '"><script>'
    assert json.loads(pressed.attributes["data-confirm"]) == {
        "title": "Sure?",
        "text": "It ends here, @Ada",
        "confirm": "Yes",
        "deny": "No",
        "style": "danger",
    }


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//evil", "/x", "ftp://x"]
)
def test_a_button_leads_to_the_web_only(url: str) -> None:
    button = {"type": "button", "text": plain("Go"), "action_id": "a", "url": url}
    read = shown({"type": "actions", "block_id": "b", "elements": [button]})
    assert read.all("a") == []
    assert read.one("button").attributes["data-action-id"] == "a"


def test_a_button_with_an_address_is_a_link_that_still_tells_the_app() -> None:
    button = {
        "type": "button",
        "text": plain("Go"),
        "action_id": "a",
        "url": "https://x.test/?a=1&b",
    }
    link = shown({"type": "actions", "block_id": "b", "elements": [button]}).one("a")
    assert link.attributes["href"] == "https://x.test/?a=1&b"
    assert link.attributes["data-action-id"] == "a"


def test_a_menu_of_more_actions_says_each_of_them() -> None:
    menu = {
        "type": "overflow",
        "action_id": "more",
        "confirm": {name: plain(name) for name in ("title", "text", "confirm", "deny")},
        "options": [
            {"text": plain("Pause"), "value": "pause", "description": plain("Until tomorrow")},
            {"text": plain("Help"), "value": "help", "url": "https://x.test/help"},
            {"text": plain("Odd"), "value": "odd", "url": "javascript:alert(1)"},
        ],
    }
    section = {"type": "section", "block_id": "b", "text": plain("Step"), "accessory": menu}
    read = shown(section)
    assert read.one("summary").attributes["aria-label"] == "More actions"
    pause, odd = read.all("button")
    assert pause.text == "PauseUntil tomorrow"
    assert pause.attributes["data-action-id"] == "more"
    assert pause.attributes["data-block-id"] == "b"
    assert pause.attributes["data-value"] == "pause"
    assert json.loads(pause.attributes["data-confirm"])["deny"] == "deny"
    assert odd.text == "Odd"
    link = read.one("a")
    assert (link.attributes["href"], link.attributes["data-value"]) == (
        "https://x.test/help",
        "help",
    )


def test_a_section_shows_its_text_its_fields_and_what_stands_beside_it() -> None:
    picture = {"type": "image", "image_url": "https://x.test/p.png", "alt_text": "A plan"}
    read = shown(
        {
            "type": "section",
            "text": mrkdwn("*Depth*"),
            "fields": [mrkdwn("_one_"), plain("two")],
            "accessory": picture,
        }
    )
    assert (read.one("strong").text, read.one("em").text) == ("Depth", "one")
    assert [one.text for one in read.classed("bk-field")] == ["one", "two"]
    assert read.one("img").attributes["alt"] == "A plan"


@pytest.mark.parametrize("url", ["javascript:x", "data:image/svg+xml,x", "/etc/x", "file:///x"])
def test_a_picture_from_anywhere_but_the_web_is_its_words(url: str) -> None:
    read = shown({"type": "image", "image_url": url, "alt_text": "A plan"})
    assert read.all("img") == []
    assert read.text == "A plan"


def test_a_picture_has_its_title_and_tells_its_place_nothing() -> None:
    read = shown(
        {
            "type": "image",
            "image_url": "https://x.test/p",
            "alt_text": "alt",
            "title": plain("Plan"),
        }
    )
    assert read.one("figcaption").text == "Plan"
    assert read.one("img").attributes["referrerpolicy"] == "no-referrer"


def test_context_shows_words_and_pictures_in_a_row() -> None:
    picture = {"type": "image", "image_url": "https://x.test/p.png", "alt_text": "A face"}
    read = shown({"type": "context", "elements": [picture, mrkdwn("*small*"), plain("words")]})
    assert [one.text for one in read.classed("bk-context-text")] == ["small", "words"]
    assert read.classed("bk-context-image")[0].attributes["alt"] == "A face"


def rich(*elements: Json) -> Read:
    return shown({"type": "rich_text", "elements": list(elements)})


def words(text: str, **style: bool) -> Json:
    return {"type": "text", "text": text, **({"style": style} if style else {})}


def line(*leaves: Json) -> Json:
    return {"type": "rich_text_section", "elements": list(leaves)}


def test_rich_text_has_its_styles() -> None:
    read = rich(
        line(
            words("b", bold=True),
            words("i", italic=True),
            words("s", strike=True),
            words("c", code=True),
            words("all", bold=True, italic=True, code=True),
            words("*plain* _plain_ <@U1> &lt;"),
        )
    )
    assert [one.text for one in read.all("strong")] == ["b", "all"]
    assert [one.text for one in read.all("em")] == ["i", "all"]
    assert [one.text for one in read.all("s")] == ["s"]
    assert [one.text for one in read.all("code")] == ["c", "all"]
    assert read.text.endswith("*plain* _plain_ <@U1> &lt;")


def test_rich_text_has_its_live_leaves() -> None:
    read = rich(
        line(
            {"type": "user", "user_id": "U1"},
            {"type": "user", "user_id": "U404"},
            {"type": "channel", "channel_id": "C1"},
            {"type": "broadcast", "range": "channel"},
            {"type": "usergroup", "usergroup_id": "S1"},
            {"type": "emoji", "name": "wave", "skin_tone": 3},
            {"type": "emoji", "name": "our-own"},
            {"type": "link", "url": "https://x.test", "text": "there", "style": {"bold": True}},
            {"type": "link", "url": "javascript:x", "text": "nowhere"},
            {
                "type": "date",
                "timestamp": 1_700_000_000,
                "format": "{date_num}",
                "fallback": "then",
            },
            {"type": "date", "timestamp": "soon", "format": "{date_num}", "fallback": "then"},
            {"type": "color", "value": "#F405B3"},
            {"type": "color", "value": "red;x"},
        )
    )
    mentions = ["@Ada", "@U404", "#general", "@channel", "@group"]
    assert [one.text for one in read.classed("bk-mention")] == mentions
    assert [one.text for one in read.classed("bk-mention-me")] == ["@Ada"]
    assert [one.text for one in read.classed("bk-emoji")] == ["👋🏼"]
    assert [(one.text, one.attributes["href"]) for one in read.all("a")] == [
        ("there", "https://x.test")
    ]
    assert read.one("strong").text == "there"
    assert read.one("time").text.startswith("2023-11-1")
    assert read.one("rect").attributes["fill"] == "#F405B3"
    assert ":our-own:" in read.text
    assert read.text.endswith("then#F405B3red;x")


def test_lists_keep_their_depth_their_border_and_their_numbers() -> None:
    row = line(words("row"))
    read = rich(
        {"type": "rich_text_list", "style": "bullet", "indent": 2, "elements": [row]},
        {"type": "rich_text_list", "style": "ordered", "offset": 4, "elements": [row, row]},
        {"type": "rich_text_list", "style": "bullet", "border": 1, "elements": [row]},
        {"type": "rich_text_list", "style": "bullet", "indent": 99, "elements": [row]},
    )
    first, second, last = (one.attributes["class"] for one in read.all("ul"))
    assert (first, second) == ("bk-list bk-indent-2", "bk-list bk-indent-0 bk-border")
    assert last == "bk-list bk-indent-8"
    assert read.one("ol").attributes["start"] == "5"
    assert len(read.all("li")) == 5


def test_quotes_and_code_are_set_apart() -> None:
    read = rich(
        {"type": "rich_text_quote", "elements": [words("said\nso")]},
        {"type": "rich_text_preformatted", "elements": [words("  x = 1\n")]},
    )
    assert read.one("blockquote").text == "said\nso"
    assert read.one("pre").text == "  x = 1\n"


def test_emoji_have_their_slack_names() -> None:
    assert [emoji_of(name) for name in (":+1:", "tada", "flag-nz", "female-technologist")] == [
        "👍",
        "🎉",
        "🇳🇿",
        "👩‍💻",
    ]
    assert emoji_of(":wave::skin-tone-4:") == "👋🏽"
    assert emoji_of("our-own") == ":our-own:"


def field(kind: str, *, optional: bool = False, **more: Any) -> Json:
    element = {"type": kind, "action_id": "a", **more}
    about = {"type": "input", "block_id": "b", "label": plain("Label"), "element": element}
    return {**about, "optional": optional}


def option(value: str, label: str | None = None) -> Json:
    return {"text": plain(label or value), "value": value}


OPTIONS = {"options": [option("one"), option("two")]}


@pytest.mark.parametrize(
    ("kind", "more", "native", "value"),
    [
        ("plain_text_input", {"initial_value": "words"}, "text", "words"),
        ("email_text_input", {}, "email", ""),
        ("url_text_input", {}, "url", ""),
        ("number_input", {"min_value": "1", "max_value": "9"}, "number", ""),
        ("datepicker", {"initial_date": "2026-01-31"}, "date", "2026-01-31"),
        ("timepicker", {"initial_time": "09:30"}, "time", "09:30"),
        ("datetimepicker", {"initial_date_time": 1_700_000_000}, "datetime-local", "2023-11-1"),
        ("file_input", {"filetypes": ["pdf"]}, "file", ""),
    ],
)
def test_single_values_have_the_browsers_own_control(
    kind: str, more: Json, native: str, value: str
) -> None:
    control = modal(field(kind, **more)).one("input")
    assert (control.attributes["type"], control.attributes["name"]) == (native, "b|a")
    assert "required" in control.attributes
    assert control.attributes.get("value", "").startswith(value)
    for name in ("min", "max"):
        assert control.attributes.get(name) == more.get(f"{name}_value")


def test_an_optional_field_says_so_and_is_not_required() -> None:
    read = modal(field("plain_text_input", optional=True))
    assert read.one("label").text == "Label (optional)"
    assert "required" not in read.one("input").attributes


def test_a_long_text_has_a_large_field_with_its_limits() -> None:
    read = modal(
        field("plain_text_input", multiline=True, initial_value="\nx", min_length=2, max_length=9)
    )
    area = read.one("textarea")
    assert area.text == "\n\nx"  # the first line end is the browser's
    assert (area.attributes["minlength"], area.attributes["maxlength"]) == ("2", "9")


def chosen(read: Read) -> list[str]:
    return [one.text for one in read.all("option") if "selected" in one.attributes]


@pytest.mark.parametrize(
    ("kind", "more", "offered", "picked"),
    [
        ("static_select", {**OPTIONS, "initial_option": option("two")}, ["one", "two"], ["two"]),
        ("users_select", {"initial_user": "U2"}, ["Ada", "Bob Lee"], ["Bob Lee"]),
        ("conversations_select", {}, ["#general", "#private-den"], []),
        ("channels_select", {"initial_channel": "C1"}, ["#general"], ["#general"]),
        (
            "conversations_select",
            {"default_to_current_conversation": True},
            ["#general", "#private-den"],
            ["#private-den"],
        ),
    ],
)
def test_a_select_offers_what_there_is(
    kind: str, more: Json, offered: list[str], picked: list[str]
) -> None:
    read = modal(field(kind, placeholder=plain("Which?"), **more), channel="G1")
    assert [one.text for one in read.all("option")] == ["Which?", *offered]
    assert chosen(read) == picked
    assert read.one("select").attributes["name"] == "b|a"


def test_a_select_of_several_shows_its_groups_and_what_is_chosen() -> None:
    groups = [{"label": plain("First"), "options": [option("one")]},
              {"label": plain("Second"), "options": [option("two"), option("three")]}]  # fmt: skip
    initial = [option("one"), option("three")]
    read = modal(field("multi_static_select", option_groups=groups, initial_options=initial))
    assert [one.attributes["label"] for one in read.all("optgroup")] == ["First", "Second"]
    assert chosen(read) == ["one", "three"]
    assert "multiple" in read.one("select").attributes
    again = modal(field("multi_static_select", option_groups=groups), values={"b|a": ["two"]})
    assert chosen(again) == ["two"]


@pytest.mark.parametrize(
    ("kind", "native"), [("radio_buttons", "radio"), ("checkboxes", "checkbox")]
)
def test_choices_are_all_in_sight_and_named_together(kind: str, native: str) -> None:
    offered = {"options": [option("one"), option("two")]}
    first = {"initial_option": option("two"), "initial_options": [option("two")]}
    read = modal(field(kind, **offered, **first), errors={"b": "Not that one"})
    boxes = read.all("input")
    assert {one.attributes["type"] for one in boxes} == {native}
    assert {one.attributes["name"] for one in boxes} == {"b|a"}
    assert ["checked" in one.attributes for one in boxes] == [False, True]
    group = read.one(role="radiogroup" if native == "radio" else "group")
    assert read.one(id=group.attributes["aria-labelledby"]).text == "Label"
    assert read.one(id=group.attributes["aria-describedby"]).text == "Not that one"
    untouched = modal(field(kind, **offered, **first), values={"b|a": []})
    assert ["checked" in one.attributes for one in untouched.all("input")] == [False, False]


def test_controls_outside_of_inputs_act_and_are_named() -> None:
    pick = {"type": "users_select", "action_id": "who", "placeholder": plain("Who?")}
    tick = {"type": "checkboxes", "action_id": "t", **OPTIONS}
    actions = {"type": "actions", "block_id": "b", "elements": [pick, tick]}
    read = shown(actions)
    select = read.one("select")
    assert select.attributes["aria-label"] == "Who?"
    assert (select.attributes["data-action-id"], select.attributes["data-block-id"]) == ("who", "b")
    assert select.attributes["data-type"] == "users_select"
    assert "name" not in select.attributes
    assert {one.attributes["data-action-id"] for one in read.all("input")} == {"t"}
    in_form = modal(actions).one("select")
    assert (in_form.attributes["name"], in_form.attributes["data-action-id"]) == ("b|who", "who")


def test_an_input_acts_only_when_it_is_to_dispatch() -> None:
    assert "data-action-id" not in modal(field("plain_text_input")).one("input").attributes
    told = {**field("plain_text_input"), "dispatch_action": True}
    assert modal(told).one("input").attributes["data-action-id"] == "a"


def test_a_control_that_is_not_known_is_a_grey_line() -> None:
    read = modal(field("external_select"))
    assert [one.text for one in read.classed("bk-unshown")] == ["This part can't be shown here"]


def test_the_home_tab_is_no_form() -> None:
    actions = {"type": "actions", "elements": [{"type": "datepicker", "action_id": "d"}]}
    home = {"id": "V2", "type": "home", "blocks": [actions]}
    read = assert_harmless(view_body(home, NAMES))
    assert "name" not in read.one("input").attributes


def test_a_form_names_its_controls_and_ties_errors_to_them() -> None:
    title = {
        "type": "input",
        "block_id": "title",
        "label": plain("Title"),
        "hint": plain("Short"),
        "element": {"type": "plain_text_input", "action_id": "t", "max_length": 80},
    }
    read = modal(title, errors={"title": "Too long"}, values={"title|t": "x<y"})
    field = read.one("input")
    assert field.attributes["name"] == "title|t"
    assert field.attributes["value"] == "x<y"
    assert field.attributes["maxlength"] == "80"
    assert field.attributes["aria-invalid"] == "true"
    assert "required" in field.attributes
    assert read.one("label").attributes["for"] == field.attributes["id"]
    described = field.attributes["aria-describedby"].split()
    assert [read.one(id=one).text for one in described] == ["Short", "Too long"]
