"""How a generated project steps its environment, and how it runs."""

from __future__ import annotations

from textwrap import indent

from generated_flows.draft import Draft
from generated_flows.flags import ARRAY_CASTS, ARRAY_KEEPS, CASTS, FLAG_NAMES, KEEPS, MASK_NAMES, is_atom, within


def flag_rows(draft: Draft) -> tuple[list[str], str, bool]:
    """Rows that make the flag, the expression that is handed on, and whether it is a mask."""
    choose, array = draft.choose, draft.source.array
    text = draft.flag.text
    rows: list[str] = []
    if choose([True, True, False]) or not is_atom(text):
        name = choose([n for n in FLAG_NAMES if n not in (draft.source.terminated, draft.source.truncated)])
        if text != name:
            rows.append(f"{name} = {text}")
        text = name
    cast = choose(ARRAY_CASTS if array else CASTS)
    text = within(cast, text)
    keep = choose([False, False, False, True])
    bare = cast == "{}" or "bool(" in cast
    forms = [f for f in (ARRAY_KEEPS if array else KEEPS) if bare or not f.startswith(("~", "np.w"))]
    if keep:
        text = within(choose(forms), text)
        draft.parts.append(f"stored as `{text}`")
        if choose([True, False]):
            name = choose(MASK_NAMES)
            rows.append(f"{name} = {text}  # cut")
            text = name
    elif cast != "{}":
        draft.parts.append(f"cast `{text}`")
    return rows, text, keep


def interaction(draft: Draft, made: list[str]) -> list[str]:
    """The step itself, in the loop, in a function or in a class that keeps the result."""
    source, choose = draft.source, draft.choose
    step = f"{source.slots} = env.step(action)"
    how = choose(["plain", "plain", "plain", "function", "result", "runner"])
    if how == "plain" or draft.second or draft.flag.holds == "limit":
        # whether a parameter counts steps is not visible in a helper
        return [step, *made]
    draft.parts.append(f"step by {how}")
    end = source.union or f"{source.terminated}, {source.truncated}"
    if how == "result":
        return ["result = env.step(action)", f"{source.slots} = result", *made]
    if how == "function":
        helper = "\n".join(
            [
                "def interact(env, action, steps=0, max_steps=200):",
                indent("\n".join([step, *made, f"return next_obs, reward, {end}, {draft.value}{draft.cut()}"]), "    "),
            ]
        )
        path = choose(["main.py", "steps.py"])
        draft.files.add(path, helper)
        if path != "main.py":
            draft.files.head("main.py", "from steps import interact")
        draft.value = choose(["what", "x", "flag"])
        return [f"next_obs, reward, {end}, {draft.value} = interact(env, action, steps, max_steps)"]
    runner = "\n".join(
        [
            "class Runner:",
            "    def __init__(self, env):",
            "        self.env = env",
            "        self.ended = None",
            "",
            "    def advance(self, action, steps=0, max_steps=200):",
            indent(
                "\n".join(
                    [
                        step.replace("env.step", "self.env.step"),
                        *made,
                        f"self.ended = {draft.value}{draft.cut()}",
                        f"return next_obs, reward, {end}",
                    ]
                ),
                "        ",
            ),
        ]
    )
    draft.files.add("main.py", runner)
    draft.runner = True
    draft.value = "runner.ended"
    return [f"next_obs, reward, {end} = runner.advance(action, steps, max_steps)"]


def main_program(draft: Draft, loop: str) -> None:
    source, choose = draft.source, draft.choose
    draft.files.heads.setdefault("main.py", []).insert(0, source.imports)
    definitions = draft.files.bodies.setdefault("main.py", [])
    if source.definitions:
        definitions.insert(0, source.definitions.strip())
    made = f"env = {source.made}"
    if choose([False, False, True]):
        definitions.append(f"def make_env():\n    return {source.made}")
        made = "env = make_env()"
    if draft.runner:
        loop = f"runner = Runner(env)\n{loop}"
    form = choose(["module", "function", "parameter"])
    if form == "module":
        definitions.append(f"{made}\n{loop}")
    elif form == "function":
        body = indent(f"{made}\n{loop}", "    ")
        definitions.append(f"def main():\n{body}")
        definitions.append('if __name__ == "__main__":\n    main()')
    else:
        definitions.append(f"def train(env):\n{indent(loop, '    ')}")
        definitions.append(f'if __name__ == "__main__":\n    {made}\n    train(env)')
