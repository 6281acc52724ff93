// The operations of the sandbox, and those that end or confirm a payment, over both APIs. Answers have the shape of REST in either case.
import type { Credentials } from '#test/setup/faces.ts'
import { type Answer, mutation, overGraphQL, send } from '#test/setup/payments/payment-faces.ts'

/** The input of each operation is the REST body. */
export interface SandboxFace {
  readonly name: 'GraphQL' | 'REST'
  fund(caller: Credentials, accountId: string, input: object): Promise<Answer>
  push(caller: Credentials, input: object): Promise<Answer>
  receiveUma(caller: Credentials, input: object): Promise<Answer>
  advanceTime(caller: Credentials, input: object): Promise<Answer>
  cancel(caller: Credentials, transactionId: string, input?: object): Promise<Answer>
  confirm(caller: Credentials, transactionId: string, input?: object): Promise<Answer>
}

const at = encodeURIComponent

const rest: SandboxFace = {
  name: 'REST',
  fund: (caller, id, input) => send(caller, 'POST', `/sandbox/internal-accounts/${at(id)}/fund`, input),
  push: (caller, input) => send(caller, 'POST', '/sandbox/send', input),
  receiveUma: (caller, input) => send(caller, 'POST', '/sandbox/uma/receive', input),
  advanceTime: (caller, input) => send(caller, 'POST', '/sandbox/advance-time', input),
  cancel: (caller, id, input) => send(caller, 'POST', `/transactions/${at(id)}/cancel`, input),
  confirm: (caller, id, input) => send(caller, 'POST', `/transactions/${at(id)}/confirm`, input),
}

const payment = (name: string, success: string) => (caller: Credentials, input: object) =>
  overGraphQL(caller, mutation(name, success, 'transaction { ...OfPayment }'), { input }, 'transaction')

const graphql: SandboxFace = {
  name: 'GraphQL',
  fund: (caller, accountId, input) =>
    overGraphQL(
      caller,
      mutation(
        'sandboxFundAccount',
        'SandboxFundAccountSuccess',
        'account { id balance { ...Sum } totalBalance { ...Sum } status: accountStatus }',
      ),
      { input: { accountId, ...input } },
      'account',
    ),
  push: payment('sandboxSend', 'SandboxTransactionSuccess'),
  receiveUma: (caller, input) => {
    const { receiverUmaAddress: umaAddress, customerId, ...rest } = input as Record<string, unknown>
    const receiver = {
      ...(umaAddress !== undefined && { umaAddress }),
      ...(customerId !== undefined && { customerId }),
    }
    return payment('sandboxReceiveUma', 'SandboxTransactionSuccess')(caller, { ...rest, receiver })
  },
  advanceTime: (caller, input) =>
    overGraphQL(
      caller,
      mutation('sandboxAdvanceTime', 'SandboxAdvanceTimeSuccess', 'advancedSeconds remainingSeconds jobsRun'),
      { input },
      '',
    ),
  cancel: (caller, transactionId, input) =>
    payment('cancelTransaction', 'CancelTransactionSuccess')(caller, { transactionId, ...input }),
  confirm: (caller, transactionId, input) =>
    payment('confirmTransaction', 'ConfirmTransactionSuccess')(caller, { transactionId, ...input }),
}

export const sandboxFaces: readonly SandboxFace[] = [graphql, rest]
