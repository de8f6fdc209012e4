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


def test_a_copy_of_an_environment_is_followed() -> None:
    program = """
        import copy
        import gymnasium as gym
        import torch.multiprocessing as mp
        def work(world):
            print(world)  # here
        env = gym.make("CartPole-v1")
        workers = [mp.Process(target=work, args=(copy.deepcopy(env),)) for _ in range(4)]
    """
    assert api(program, "world") == "Gymnasium"


def test_the_arguments_of_an_actor_of_ray_are_arguments() -> None:
    program = """
        import gymnasium as gym
        import ray
        @ray.remote(num_cpus=1)
        class Tester:
            def __init__(self, world):
                self.world = world
            def play(self, other):
                print(self.world)  # here
                print(other)
        @ray.remote
        def work(third):
            print(third)
        tester = Tester.options(num_cpus=2).remote(gym.make("CartPole-v1"))
        ray.get(tester.play.remote(other=gym.make("CartPole-v1")))
        work.remote(gym.make("CartPole-v1"))
    """
    assert api(program, "self.world") == api(program, "other") == api(program, "third") == "Gymnasium"


def test_ray_gives_what_the_other_process_returned() -> None:
    program = """
        import gymnasium as gym
        import ray
        class Collector:
            def __init__(self):
                self.env = gym.make("CartPole-v1")
            def collect(self):
                obs, reward, terminated, truncated, info = self.env.step(0)
                return obs, terminated or truncated
        Remote = ray.remote(num_cpus=1)(Collector)
        worker = Remote.remote()
        obs, over = ray.get(worker.collect.remote())
        print(over)
    """
    assert meanings(program, "over") == {"done"}
