"""Conditions of a measurement: the Python build and the load."""

from bench.conditions import conditions, is_optimised

GCC = "-fprofile-use -fprofile-correction"


def test_a_build_with_enable_optimizations_is_optimised() -> None:
    assert is_optimised({"CONFIG_ARGS": "'--enable-optimizations' '--with-lto'", "PGO_PROF_USE_FLAG": GCC})


def test_a_default_build_of_pyenv_is_not_optimised() -> None:
    assert not is_optimised({"CONFIG_ARGS": "'--enable-shared'", "PGO_PROF_USE_FLAG": GCC})


def test_a_debian_build_is_optimised_without_the_configure_flag() -> None:
    assert is_optimised({"CONFIG_ARGS": "'--enable-shared' '--prefix=/usr'", "PGO_PROF_USE_FLAG": ""})


def test_the_conditions_name_the_python_and_the_load() -> None:
    first, second = conditions().splitlines()[:2]
    assert "profile-guided optimisation" in first
    assert second.startswith("load ")
