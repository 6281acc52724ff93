/** The European Economic Area: payments of customers there need Strong Customer Authentication (docs/domain/quotes.md#sca-region). */
const EEA = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')

export const isInScaRegion = (region: string | null): boolean => region !== null && EEA.includes(region)
