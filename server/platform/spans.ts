import type { Attributes, SpanContext } from '@opentelemetry/api'

export interface Span {
  readonly context: SpanContext
  end(attributes?: Attributes, error?: unknown): void
}

/** The name of a span must not contain addresses or ids. Without `parent` a new trace begins. */
export type StartSpan = (kind: 'client' | 'internal', name: string, parent?: SpanContext) => Span
