import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** The children are rendered again when this key changes, for example by a new path. */
  resetKey: string
  /**
   * Rendered instead of children that failed to load or to render. `retry` renders them again; undefined after a retry
   * that failed.
   */
  fallback: (problem: unknown, retry: (() => void) | undefined) => ReactNode
  /** Called once for each failure. */
  onError?: (problem: unknown) => void
  children: ReactNode
}

interface ErrorBoundaryState {
  failure: { problem: unknown } | null
  hasRetried: boolean
  resetKey: string
}

/** A class, because React has no hook for error boundaries. */
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

  override componentDidCatch(problem: unknown): void {
    this.props.onError?.(problem)
  }

  readonly retry = (): void => this.setState({ failure: null, hasRetried: true })

  override render(): ReactNode {
    const { failure, hasRetried } = this.state
    if (failure === null) return this.props.children
    return this.props.fallback(failure.problem, hasRetried ? undefined : this.retry)
  }
}
