import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { Reader } from '#credentials/kinds/kind.ts'
import type { OtpType } from './address.ts'

interface Address {
  readonly customerId: string
  readonly type: OtpType
  readonly value: string
}

/** 409 `EMAIL_OTP_EMAIL_ALREADY_EXISTS` when another customer's credential has the address. Final only after `lockAddresses`. */
export const refuseTaken = async (
  reader: Reader,
  { platformId }: PlatformCaller,
  { customerId, type, value }: Address,
): Promise<void> => {
  const others = await reader.$queryRaw<unknown[]>`
    select 1 from auth_methods method
    join internal_accounts account on account.platform_id = method.platform_id and account.id = method.account_id
    where method.platform_id = ${platformId}::uuid and method.type = ${type}::auth_method_type and method.revoked_at is null
      and lower(method.nickname) = lower(${value}) and account.customer_id <> ${customerId}::uuid
    limit 1`
  if (others.length > 0) {
    throw new ApiError('EMAIL_OTP_EMAIL_ALREADY_EXISTS', "Another customer's credential has this address")
  }
}
