"""How environments render: modes, wrappers and keys (data)."""

from __future__ import annotations

from collections.abc import Mapping

HUMAN, FRAMES, TEXT = "human", "rgb_array", "ansi"
#: All frames since the last rendering: Gym 0.26 and Gymnasium 1.4 `RenderCollection`. In Gym 0.25 it was `rgb_array`.
FRAME_LISTS = "rgb_array_list"
#: Modes whose frames `RecordVideo` takes.
RECORDED = frozenset({"rgb_array", "rgb_array_list"})
#: The wrapper that writes videos.
RECORDING = "wrappers.RecordVideo"
#: Wrappers that count the episodes and film some of them by their number, as layers are called. Gym 0.21.
COUNTING_EPISODES = frozenset({"RecordVideo", "Monitor"})
#: Lets somebody play: Gym before 0.26 drew for it with `render(mode="rgb_array")`.
_PLAYING = ("utils.play.play", "utils.play.PlayableGame")
#: What raises without frames: wrappers, and what plays (run with Gymnasium 1.4).
TAKING_FRAMES = frozenset(
    (
        *(RECORDING, *_PLAYING),
        *(f"wrappers.{name}" for name in ("AddRenderObservation", "HumanRendering", "RenderCollection")),
    )
)
#: Packages whose environments raise an error at `render` without a mode: "Invalid render mode `None`". ale-py 0.12
#: `AtariEnv.render`. So do Gymnasium's tasks of MuJoCo ("Unexpected mode: None"; all of them run with Gymnasium 1.4).
RAISING = frozenset({"ale_py"})
#: Modes that environments of Gym itself had. Gym 0.9 to 0.26 `metadata`.
MODES = frozenset({HUMAN, FRAMES, TEXT, "depth_array", "rgb_array_list", "ansi_list", "state_pixels"})
#: Keys of `metadata`, old and new. Gym 0.21 `Env.metadata`, Gymnasium 1.4 `Env.metadata`.
METADATA_KEYS: Mapping[str, str] = {"render.modes": "render_modes", "video.frames_per_second": "render_fps"}
#: Parameters of `render` that nobody passes since Gym 0.26.
RENDER_PARAMETERS = ("mode", "close")
#: Every parameter of the `render` methods that came with Gym. Gym 0.9 `Env.render`, Gym 0.21 `MujocoEnv.render`.
GYM_RENDER_ARGUMENTS = frozenset({*RENDER_PARAMETERS, "width", "height", "camera_id", "camera_name"})
