// Keeps the rest of the page when a part of it fails: its code could not be loaded, or it could not be shown.
import { Component, type ReactNode } from 'react'
import { Empty } from '../parts/panel.tsx'
import { loadAgain } from './late.tsx'

interface Props {
  /** A part at another address starts again. */
  readonly at: string
  /** The failure, in the place of the part. */
  readonly show: (failure: ReactNode) => ReactNode
  readonly children: ReactNode
}

interface State {
  readonly hasFailed: boolean
}

export class Boundary extends Component<Props, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override componentDidMount() {
    addEventListener('online', this.tryAgain)
  }

  override componentWillUnmount() {
    removeEventListener('online', this.tryAgain)
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at) this.tryAgain()
  }

  private readonly tryAgain = () => {
    if (!this.state.hasFailed) return
    loadAgain()
    this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return this.props.show(
      <div role="alert">
        <Empty
          icon="again"
          title="This part of the page failed"
          level="h2"
          actions={
            <>
              <button type="button" className="btn go" onClick={this.tryAgain}>
                Try again
              </button>
              <button type="button" className="btn" onClick={() => location.reload()}>
                Reload
              </button>
            </>
          }
        >
          There may be no connection, or the dashboard was updated.
        </Empty>
      </div>,
    )
  }
}
