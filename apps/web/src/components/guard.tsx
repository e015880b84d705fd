import { Component, type ReactNode } from 'react'
import { NotLoaded, onReconnect } from '../later.ts'

interface GuardProps {
  /** Shown instead of the children, with a function that retries them. */
  readonly fault: (error: unknown, again: () => void) => ReactNode
  /** Whether it only handles scripts that did not load, and leaves other errors to the guard around it. */
  readonly isForScripts?: boolean
  readonly children: ReactNode
}

/**
 * Shows an error in the place where it arose, and keeps the rest usable. Loading a missing script is retried
 * automatically.
 */
export class Guard extends Component<GuardProps, { readonly error: unknown }> {
  override state = { error: null }
  #end: (() => void) | undefined
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override componentDidMount(): void {
    this.#end = onReconnect(() => {
      if ((this.state.error as unknown) instanceof NotLoaded) this.#again()
    })
  }
  override componentDidCatch(error: unknown): void {
    if (error instanceof NotLoaded) error.forget()
  }
  override componentWillUnmount(): void {
    this.#end?.()
  }
  #again = () => this.setState({ error: null })
  override render(): ReactNode {
    const error: unknown = this.state.error
    if (error === null) return this.props.children
    if (this.props.isForScripts === true && !(error instanceof NotLoaded)) throw error
    return this.props.fault(error, this.#again)
  }
}
