"""Flags and environments flow through pipes, queues and processes."""

from __future__ import annotations

from model_programs import api, meanings


def test_a_pipe_carries_flags() -> None:
    program = """
        import gymnasium as gym
        from multiprocessing import Pipe, Process
        def work(remote):
            env = gym.make("CartPole-v1")
            while True:
                obs, reward, terminated, truncated, info = env.step(remote.recv())
                remote.send((obs, reward, terminated or truncated))
        here, there = Pipe()
        Process(target=work, args=(there,)).start()
        obs, reward, over = here.recv()
        print(over)
    """
    assert meanings(program, "over") == {"done"}


def test_a_queue_carries_flags() -> None:
    program = """
        import gymnasium as gym
        from multiprocessing import Process, Queue
        def work(queue):
            env = gym.make("CartPole-v1")
            obs, reward, terminated, truncated, info = env.step(0)
            queue.put((obs, terminated or truncated))
        queue = Queue()
        Process(target=work, args=(queue,)).start()
        obs, over = queue.get()
        print(over)
    """
    assert meanings(program, "over") == {"done"}


def test_the_arguments_of_a_process_are_arguments() -> None:
    program = """
        import gymnasium as gym
        import threading
        def work(world):
            print(world)  # here
        threading.Thread(target=work, args=(gym.make("CartPole-v1"),)).start()
    """
    assert api(program, "world") == "Gymnasium"


def test_an_environment_made_by_a_pickled_function_is_followed() -> None:
    program = """
        import gymnasium as gym
        from multiprocessing import Process
        def work(make):
            world = make()
            print(world)
        Process(target=work, args=(lambda: gym.make("CartPole-v1"),)).start()
    """
    assert api(program, "world") == "Gymnasium"
