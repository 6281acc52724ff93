// Components that are loaded when they are first shown. What could not be loaded is loaded anew when it is tried again.
import { type ComponentType, lazy } from 'react'

const failed = new Set<() => void>()

/** Lets everything that could not be loaded be loaded again. */
export const loadAgain = () => {
  for (const renew of failed) renew()
  failed.clear()
}

export const late = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  // React keeps a failed load forever, so another try needs another component.
  const start = () =>
    lazy(() =>
      load().then(
        (component) => ({ default: component }),
        (error) => {
          failed.add(() => {
            Loaded = start()
          })
          throw error
        },
      ),
    ) as unknown as ComponentType<Props>
  let Loaded = start()
  return (props) => <Loaded {...props} />
}
