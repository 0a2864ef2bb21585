import type { Attributes, SpanContext } from '@opentelemetry/api'

export interface Span {
  readonly context: SpanContext
  end(attributes?: Attributes, error?: unknown): void
}

/**
 * Present only when the gateway sends traces. @param name of an operation or a worker, without addresses and numbers
 * @param parent without one a new trace begins
 */
export type StartSpan = (kind: 'client' | 'internal', name: string, parent?: SpanContext) => Span
