"""Where arguments stand in a figure: as far along as there are arguments before them.

Inside a binade that is linear, and each binade is as wide as another, on both sides of 0.
"""

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


class ArgumentAxis:
    """Places from 0 to 1 over the range of a job."""

    def __init__(self, job):
        self.numbers, self.first, self.end = job.numbers, job.first, job.end

    def position(self, rank):
        """The place of a rank, from the job's first to its end."""
        return (rank - self.first) / (self.end - self.first)

    @property
    def binades(self):
        """The length of the range in binades, a fraction if it lies within one."""
        return (self.end - self.first) / self.numbers.binade

    def ticks(self):
        """(position, label) of a few arguments that are short to write: powers of two and 0, or hex floats where the
        range is short."""
        return self._powers() if self.binades >= 3 else self._hex_floats()

    def _powers(self):
        most_ticks, least_distance = 12, 0.03 # distance of labels, from 0's
        step = next((one for one in _STEPS if self.binades / one <= most_ticks), _STEPS[-1])
        has_zero = self.first <= 0 < self.end
        ticks = [(self.position(0), "0")] if has_zero else []
        numbers = self.numbers
        for exponent in range(numbers.min_exponent // step * step, numbers.max_exponent + 2, step):
            size = (exponent - numbers.min_exponent + 1) * numbers.binade
            for rank in (size, -size):
                if size <= 0 or not self.first <= rank <= self.end:
                    continue
                if not has_zero or abs(self.position(rank) - self.position(0)) >= least_distance:
                    power = "1" if exponent == 0 else f"2^{{{exponent}}}"
                    ticks.append((self.position(rank), f"${'-' if rank < 0 else ''}{power}$"))
        return sorted(ticks)

    def _hex_floats(self):
        most_steps = 5
        step = 1
        while (self.end - self.first) // step > most_steps:
            step *= 2
        return [
            (self.position(rank), self.numbers.hex(rank))
            for rank in range(-(-self.first // step) * step, self.end + 1, step)
        ]
