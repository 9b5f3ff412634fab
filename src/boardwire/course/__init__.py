"""A course in a box: checks and grades teams' clients and servers, and lets them play each other.

- `load` reads a course directory; `read_results` reads its stored runs.
- `grade` and `scoreboard` are pure functions of both.
"""

from boardwire.course.config import Course, Viewer, load
from boardwire.course.results import Grade, RunResults, Scoreboard, grade, read_results, scoreboard

__all__ = [
    "Course",
    "Grade",
    "RunResults",
    "Scoreboard",
    "Viewer",
    "grade",
    "load",
    "read_results",
    "scoreboard",
]
