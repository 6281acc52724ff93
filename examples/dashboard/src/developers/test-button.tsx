import { SendTestDocument } from '../gql/graphql.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { say } from '../shell/toasts.tsx'

export const TestButton = () => {
  const { write, isBusy } = useWrite(SendTestDocument)
  const whyNot = useWhyNot('MANAGE')
  const send = async () => {
    const { success, failure } = await write({ input: {} })
    if (failure) return say(`Not sent: ${failure.message}`)
    const { responseStatus, milliseconds } = success.attempt
    say(
      responseStatus ? `The endpoint answered ${responseStatus} in ${milliseconds} ms` : 'The endpoint did not answer',
    )
  }
  return (
    <button type="button" className="btn" disabled={isBusy || whyNot !== undefined} title={whyNot} onClick={send}>
      <Icon name="play" />
      {isBusy ? 'Sending …' : 'Send test event'}
    </button>
  )
}
