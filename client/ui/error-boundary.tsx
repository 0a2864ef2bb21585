import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** A change of it, such as the next path, gives the children another chance. */
  resetKey: string
  /** Drawn in the place of children that failed to load or to draw. */
  fallback: (problem: unknown) => ReactNode
  children: ReactNode
}

interface ErrorBoundaryState {
  failure: { problem: unknown } | null
  resetKey: string
}

/** React offers this to classes only. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(problem: unknown): Partial<ErrorBoundaryState> {
    return { failure: { problem } }
  }

  static getDerivedStateFromProps(
    props: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return props.resetKey === state.resetKey ? null : { failure: null, resetKey: props.resetKey }
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure === null ? this.props.children : this.props.fallback(failure.problem)
  }
}
