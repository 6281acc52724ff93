// Fields of forms. A problem is shown at its field. The first field with one gets the focus.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Failure } from '../graphql/failure.ts'
import { Icon } from './icon.tsx'

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly help?: ReactNode
  readonly problem?: string | undefined
  readonly className?: string
  readonly input?: React.InputHTMLAttributes<HTMLInputElement>
  /** With choices the field is a menu. */
  readonly choices?: readonly (readonly [value: string, text: string])[] | undefined
  readonly defaultValue?: string
  /** Called when another choice is made. */
  readonly select?: (event: React.ChangeEvent<HTMLSelectElement>) => void
}

export const Field = ({
  label,
  name,
  help,
  problem,
  className = '',
  input,
  choices,
  defaultValue,
  select,
}: FieldProps) => {
  const id = useId()
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useEffect(() => {
    if (problem) control.current?.form?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problem])
  const described = problem || help ? `${id}-help` : undefined
  const shared = {
    ref: control,
    id,
    name,
    className: 'in',
    // Absent for a field whose value the form itself keeps.
    ...(input?.value === undefined && { defaultValue }),
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': described,
  }
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {choices ? (
        <select {...shared} required={input?.required} onChange={select}>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input autoComplete="off" {...input} {...shared} />
      )}
      {problem ? (
        <span className="help bad" id={described}>
          <Icon name="oct" />
          {labelled(problem, label)}
        </span>
      ) : (
        help && (
          <span className="help" id={described}>
            {help}
          </span>
        )
      )}
    </div>
  )
}

/** The message as people see the field: messages of the gateway begin with its path in the input, or name it later. */
const labelled = (message: string, label: string) =>
  message
    .replace(/^[a-z]\w*(\.\w+)*(?= (is|are|must|has|needs)\b)/, label)
    .replace(/\bthis [a-z]+[A-Z]\w*/, 'this value')

/** The message for a field, which the failure names by the path in the input. An item of a list counts as the field. */
export const problemAt = (failure: Failure | undefined, name: string): string | undefined => {
  if (!failure) return undefined
  const ends = (path = '') => `.${path.replace(/\.\d+$/, '')}`.endsWith(`.${name}`)
  const listed = Object.entries(failure.fields ?? {}).find(([path]) => ends(path))
  return listed?.[1] ?? (ends(failure.field) ? failure.message : undefined)
}

/** Whether the failure is already shown at one of these fields. */
export const isAtField = (failure: Failure | undefined, names: readonly string[]) =>
  names.some((name) => problemAt(failure, name) !== undefined)

/** The filled fields of a form, without those left empty. */
export const filledIn = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value.trim() : ''
      return text ? [[name, text]] : []
    }),
  )
