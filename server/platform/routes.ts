import type { FastifyInstance } from 'fastify'
import type { OperationShape } from '#shared/platform/operation.ts'
import {
  type Asked,
  type Call,
  type RouteOptions,
  type Run,
  registerOperation,
} from './register-operation.ts'
import { type OpenStream, registerStream, type StreamShape } from './register-stream.ts'
import type { SessionScope } from './session-scope.ts'
import type { Streams } from './streams.ts'

export type Routes = ReturnType<typeof routesOn>

export const routesOn = (app: FastifyInstance, scope: SessionScope, streams: Streams) => ({
  app,
  scope,
  add: <const O extends OperationShape>(operation: O, run: Run<O>, options?: RouteOptions) =>
    registerOperation(app, scope, operation, run, options),
  addReading: <const O extends OperationShape, Found>(
    operation: O,
    reads: (asked: Asked<O>) => Promise<Found>,
    run: (call: Call<O>, found: Found) => ReturnType<Run<O>>,
  ) => registerOperation(app, scope, operation, (call) => run(call, call.found as Found), { reads }),
  addStream: <const O extends StreamShape>(operation: O, open: OpenStream<O>) =>
    registerStream(app, scope, streams, operation, open),
})
