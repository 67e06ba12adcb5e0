"""Errors that a user can mend, and how main() of a module reports them."""

import sys


class UsageError(Exception):
    """A sentence for the user."""


def report_errors(run):
    """Wraps a main(): a mistake is one line on stderr, and exit status 2."""

    def wrapped(arguments=None):
        try:
            return run(sys.argv[1:] if arguments is None else arguments) or 0
        except UsageError as error:
            print(error, file=sys.stderr)
            return 2
        except BrokenPipeError: # the reader of the output has ended
            return 2
        except OSError as error:
            print(f"cannot write '{error.filename}': {error.strerror}", file=sys.stderr)
            return 2

    return wrapped
