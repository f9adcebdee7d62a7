"""A call beside a download, as a marimo notebook: `marimo edit queue_marimo.py`, or `marimo run` to only look."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import lasthop

    return lasthop, mo


@app.cell
def _(mo):
    mo.md("""
    # A call beside a download

    A call and a download come through one access point of 2 Mbit/s. How long does the call wait in its queue? Each
    step of the slider is a new run.
    """)
    return


@app.cell
def _(mo):
    slider = mo.ui.slider(steps=[5, 10, 20, 50, 100, 200, 400], value=100, label="packets")
    choice = mo.ui.dropdown(["drop_tail", "codel", "fq_codel"], value="drop_tail", label="queue")
    mo.hstack([slider, choice])
    return choice, slider


@app.cell
def _(choice, lasthop, slider):
    run = lasthop.run(
        "voice_and_bulk",
        overrides={
            "duration": "20 s",
            "flow.voice.from": "server",
            "flow.voice.to": "phone",
            "tcp.window": "400 packets",
            "queue.packets": slider.value,
            "queue.discipline": choice.value,
        },
        probes=["flows"],
        probe_every_s=0.25,
    )
    delay_ms = 1000 * run["voice"]["delay.p95"]
    return delay_ms, run


@app.cell
def _(delay_ms, mo, run):
    import matplotlib.pyplot as plt

    table = run["voice"].series
    figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
    axes.plot(table["time_s"].to_numpy(), 1000 * table["delay_mean_s"].to_numpy())
    axes.axhline(150, linestyle=":", color="grey")
    axes.set(xlabel="time, s", ylabel="delay of the call, ms", ylim=(0, None))
    mo.vstack([figure, mo.md(f"95 % of the call's packets arrive within {delay_ms:.0f} ms.")])
    return


if __name__ == "__main__":
    app.run()
