// Components that are loaded when they are first shown. What could not be loaded is loaded anew when it is tried again.
import { type ComponentType, lazy } from 'react'

const failed = new Set<() => void>()

/** Lets everything that could not be loaded be loaded again. */
export const loadAgain = () => {
  for (const renew of failed) renew()
  failed.clear()
}

const isServed = () =>
  fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).then(
    ({ ok }) => ok,
    () => false,
  )

export const late = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  // React keeps a failed load forever, so another try needs another component.
  const start = (isAgain = false) =>
    lazy(() =>
      load().then(
        (component) => ({ default: component }),
        async (error) => {
          failed.add(() => {
            Loaded = start(true)
          })
          // Chromium does not load a module again that has failed once, until the page is loaded again.
          if (isAgain && (await isServed())) location.reload()
          throw error
        },
      ),
    ) as unknown as ComponentType<Props>
  let Loaded = start()
  return (props) => <Loaded {...props} />
}
