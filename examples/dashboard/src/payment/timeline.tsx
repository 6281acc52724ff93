import type { Failure } from '../graphql/failure.ts'
import { Icon } from '../parts/icon.tsx'
import { dayText, durationText, Moment } from '../parts/moment.tsx'
import { BoneRows, Failed, Panel } from '../parts/panel.tsx'
import { lookOf } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import type { Transaction } from './payment.tsx'

interface Props {
  readonly changes: Transaction['timeline'] | undefined
  readonly createdAt: string | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

/** Newest first. Each step shows the time since the previous one. */
export const Timeline = ({ changes, createdAt, failure, reload }: Props) => (
  <Panel title="Timeline" end={createdAt && <span className="tiny t3">{dayText(createdAt)}</span>}>
    {failure ? (
      <Failed what="the timeline" failure={failure} retry={reload} />
    ) : !createdAt ? (
      <BoneRows count={3} />
    ) : (
      <div className="body">
        <ol className="line">
          {[...(changes ?? [])].reverse().map(({ to, at, reason, from }, index, all) => {
            const { tone, icon, word } = lookOf(to)
            const before = all[index + 1]
            return (
              <li key={`${to} ${at}`} className={tone}>
                <Icon name={icon} />
                <span>
                  <strong>{word}</strong>
                  {(reason || from) && (
                    <>
                      <br />
                      <span className="t2">
                        {reason ? sentence(reason) : `After ${lookOf(from ?? '').word.toLowerCase()}`}
                      </span>
                    </>
                  )}
                </span>
                <span className="t3 tiny r">
                  <Moment at={at} as={dayText(at) === dayText(createdAt) ? 'time' : 'full'} />
                  {before && (
                    <>
                      <br />
                      <span className="num">+{durationText(Date.parse(at) - Date.parse(before.at))}</span>
                    </>
                  )}
                </span>
              </li>
            )
          })}
        </ol>
      </div>
    )}
  </Panel>
)
