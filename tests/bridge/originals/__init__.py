"""Models of the original servers, for tests of the adapter.

Each model reproduces what is known of one original program: the order of its messages, its habits and its faults.  Our
codecs write the bytes.  The rules are small implementations for these models (`santorini_board`, `eriantys_objects`),
because the originals' rules differ from ours.
"""
