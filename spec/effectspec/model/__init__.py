"""The world as a state space: what a process, a journal, a target and a fault can do.

:class:`~effectspec.model.world.World` is a state and :func:`~effectspec.model.step.step` what an
action makes of it, with the answer that a journal would give: an oracle for anything that keeps a
journal. :class:`~effectspec.model.model.Model` adds what may happen next in a small
:class:`~effectspec.model.configuration.Configuration`, and
:data:`~effectspec.model.properties.PROPERTIES` what must never come of it. Whatever explores a
model is elsewhere.
"""
