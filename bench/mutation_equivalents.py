"""Changes of one operator that change nothing that anybody could notice, and why."""

# By the file, the line as it stands (stripped), what stands there and what would.
EQUIVALENT: dict[tuple[str, str, str, str], str] = {
}
