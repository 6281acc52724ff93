// The addresses of uploads.
import { API_VERSION } from '#core/api-version.ts'
import { type Place, placeTokens } from '#core/place-token.ts'

const tokens = placeTokens('upload address')

/** Relative to the address of the gateway. */
export const uploadAddress = (place: Place): string => `/${API_VERSION}/uploads/${tokens.tokenOf(place)}`

/** Undefined for a token that the gateway did not make. */
export const placeOfToken = tokens.placeOf
