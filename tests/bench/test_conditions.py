"""What is said of the Python that measures."""

from bench.conditions import conditions, is_optimised

GCC = "-fprofile-use -fprofile-correction"


def test_a_python_that_was_configured_with_optimisations_is_optimised() -> None:
    assert is_optimised({"CONFIG_ARGS": "'--enable-optimizations' '--with-lto'", "PGO_PROF_USE_FLAG": GCC})


def test_a_python_of_pyenvs_default_is_not_optimised() -> None:
    assert not is_optimised({"CONFIG_ARGS": "'--enable-shared'", "PGO_PROF_USE_FLAG": GCC})


def test_a_python_of_debian_is_optimised_without_saying_so() -> None:
    assert is_optimised({"CONFIG_ARGS": "'--enable-shared' '--prefix=/usr'", "PGO_PROF_USE_FLAG": ""})


def test_the_conditions_name_the_python_and_the_load() -> None:
    first, second = conditions().splitlines()[:2]
    assert "profile-guided optimisation" in first
    assert second.startswith("load ")
