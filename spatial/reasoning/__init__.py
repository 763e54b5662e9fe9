"""Spatial reasoning: pure solvers over extracted documents and point clouds, one file per task type.

    ResponsesInput -> question.pose -> Question (scenes, ids, goal) -> solvers/<task>.py -> Answer -> solve.express -> output

The contract is the only thing that reasoning shares with extraction. It does no input or output, draws no random number without
the question's seed, and reads no clock: the same question has the same answer.
"""
