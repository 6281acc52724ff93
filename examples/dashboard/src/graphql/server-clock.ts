// The clock of the gateway, from the header `Date` of its answers. Countdowns use it, because the clock of a device may be wrong.
let offset = 0

export const serverClock = {
  read(date: string | null) {
    const at = Date.parse(date ?? '')
    if (Number.isNaN(at)) return
    // The header has whole seconds, and the answer took some time to arrive, so smaller differences mean nothing.
    const difference = at - Date.now()
    offset = Math.abs(difference) > 2000 ? difference : 0
  },
  now: () => Date.now() + offset,
}
