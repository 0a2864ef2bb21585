import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** A change of it, such as the next path, gives the children another chance. */
  resetKey: string
  /**
   * Drawn in the place of children that failed to load or to draw. `retry` lets them try again; it is missing once
   * that has not helped.
   */
  fallback: (problem: unknown, retry: (() => void) | undefined) => ReactNode
  children: ReactNode
}

interface ErrorBoundaryState {
  failure: { problem: unknown } | null
  hasRetried: boolean
  resetKey: string
}

/** React offers this to classes only. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null, hasRetried: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(problem: unknown): Partial<ErrorBoundaryState> {
    return { failure: { problem } }
  }

  static getDerivedStateFromProps(
    props: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    if (props.resetKey === state.resetKey) return null
    return { failure: null, hasRetried: false, resetKey: props.resetKey }
  }

  readonly retry = (): void => this.setState({ failure: null, hasRetried: true })

  override render(): ReactNode {
    const { failure, hasRetried } = this.state
    if (failure === null) return this.props.children
    return this.props.fallback(failure.problem, hasRetried ? undefined : this.retry)
  }
}
