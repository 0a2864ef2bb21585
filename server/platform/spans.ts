import type { Attributes, SpanContext } from '@opentelemetry/api'

export interface Span {
  readonly context: SpanContext
  end(attributes?: Attributes, error?: unknown): void
}

/**
 * Starts a span. It is undefined when the gateway sends no traces. @param name name of an operation or a worker,
 * without addresses and ids @param parent the parent span; without it a new trace begins
 */
export type StartSpan = (kind: 'client' | 'internal', name: string, parent?: SpanContext) => Span
