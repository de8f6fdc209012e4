"""Which attributes the tasks of Gymnasium have, beside those of every environment (data).

What no task has that an id stands for, `unwrapped` does not find either. Gymnasium 1.4 `envs.classic_control`,
`envs.toy_text` and `envs.box2d`: `dir` of the environment inside, after a reset and a step. The tasks of MuJoCo are not
here; they have the attributes of the simulation.
"""

from __future__ import annotations

from done_lint.knowledge.env_id_apis import task_name

#: By the id without its version.
_ATTRIBUTES: dict[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "CartPole": "_sutton_barto_reward clock force_mag gravity isopen kinematics_integrator length masscart "
        "masspole polemass_length screen screen_height screen_width state steps_beyond_terminated tau "
        "theta_threshold_radians total_mass x_threshold",
        "MountainCar": "_height clock force get_keys_to_action goal_position goal_velocity gravity high isopen low "
        "max_position max_speed min_position screen screen_height screen_width state",
        "MountainCarContinuous": "_height clock goal_position goal_velocity high_state isopen low_state max_action "
        "max_position max_speed min_action min_position power screen screen_height screen_width state",
        "Pendulum": "_get_obs clock dt g isopen l last_u m max_speed max_torque screen screen_dim state",
        "Acrobot": "AVAIL_TORQUE LINK_COM_POS_1 LINK_COM_POS_2 LINK_LENGTH_1 LINK_LENGTH_2 LINK_MASS_1 "
        "LINK_MASS_2 LINK_MOI MAX_VEL_1 MAX_VEL_2 SCREEN_DIM _dsdt _get_ob _terminal action_arrow "
        "actions_num book_or_nips clock domain_fig dt isopen screen state torque_noise_max",
        "FrozenLake": "P _center_small_rect _render_gui _render_text agent_img cell_size clock desc goal_flag_img "
        "hole_img ice_crack_imgs ice_img initial_state_distrib lastaction letter_g_img letter_s_img "
        "ncol nrow reward_range s window_size window_surface",
        "Taxi": "P _build_dry_transitions _build_rainy_transitions _calc_new_position _dropoff _pickup "
        "_rainy_lateral_probability _render_gui _render_text action_mask background_img cell_size "
        "clock decode desc destination_img encode fickle_passenger fickle_probability fickle_step "
        "get_surf_loc house_img initial_state_distrib lastaction locs locs_colors max_col max_row "
        "passenger_img rainy_probability s taxi_full_imgs taxi_imgs taxi_orientation window",
        "CliffWalking": "P _calculate_transition_prob _cliff _limit_coordinates _render_gui _render_text agent_img "
        "cell_size cliff_imgs clock goal_flag_img goal_img ground_img initial_state_distrib "
        "is_slippery lastaction nA nS s shape start_img start_state_index window_size window_surface",
        "Blackjack": "_get_obs dealer dealer_top_card_suit dealer_top_card_value_str natural player sab",
        "LunarLander": "_clean_particles _create_particle _destroy _ezpickle_args _ezpickle_kwargs clock continuous "
        "drawlist enable_wind game_over gravity helipad_x1 helipad_x2 helipad_y isopen lander legs "
        "moon particles prev_reward prev_shaping screen sky_polys turbulence_power wind_power world",
        "BipedalWalker": "_destroy _ezpickle_args _ezpickle_kwargs _generate_clouds _generate_terrain clock cloud_poly "
        "drawlist fd_edge fd_polygon game_over hardcore hull isopen joints legs lidar lidar_render "
        "prev_shaping screen scroll terrain terrain_poly terrain_x terrain_y world",
        "CarRacing": "_create_image_array _create_track _destroy _draw_colored_polygon _ezpickle_args "
        "_ezpickle_kwargs _init_colors _reinit_colors _render _render_indicators _render_road "
        "bg_color car clock contactListener_keepref continuous domain_randomize fd_tile grass_color "
        "invisible_state_window invisible_video_window isopen lap_complete_percent new_lap "
        "prev_reward reward road road_color road_poly screen start_alpha state surf t "
        "tile_visited_count track verbose world",
    }.items()
}
#: Ids of the same classes.
_ATTRIBUTES |= {
    other: _ATTRIBUTES[name]
    for other, name in {
        "FrozenLake8x8": "FrozenLake",
        "CliffWalkingSlippery": "CliffWalking",
        "LunarLanderContinuous": "LunarLander",
        "BipedalWalkerHardcore": "BipedalWalker",
    }.items()
}


def lacks(env_id: str, name: str) -> bool:
    """Whether the task of an id is known, and has no attribute of this name."""
    known = _ATTRIBUTES.get(task_name(env_id))
    return known is not None and name not in known
