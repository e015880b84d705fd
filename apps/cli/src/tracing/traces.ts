/** Traces over OTLP/HTTP. This file is loaded only where an address for them is set (access 13). */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { PerformedCall } from '@specboard/domain'
import type { TracedAnswer, TracedRequest, Tracing } from '@specboard/http'

/** How long the collector may take, ms: a stop does not wait longer for it. */
const exportMs = 2_000

/** The headers of a request that say which trace it is a part of. */
const propagated = ['traceparent', 'tracestate']

const propagator = new W3CTraceContextPropagator()

const headers = {
  keys: () => propagated,
  get: ({ header }: TracedRequest, name: string) => header(name),
}

/** How traces are made. */
export interface TraceOptions {
  /** Where they are sent, `http://collector:4318/v1/traces`. */
  readonly url: string
  /** The share of requests that are traced if the caller's trace does not decide, from 0 to 1. */
  readonly ratio: number
  readonly version: string
  /** Distinguishes this node from others. */
  readonly node: string
  /** Called with the reason if traces could not be sent. */
  readonly onFault: (reason: string) => void
}

/** Makes a span of each request, and one in it of each operation that it calls. */
export class Traces implements Tracing {
  readonly #provider: TracerProvider
  readonly #requests = new AsyncLocalStorage<Context>()

  constructor({ url, ratio, version, node, onFault }: TraceOptions) {
    const quiet = () => {}
    const report = (text: string) => onFault(messageIn(text))
    diag.setLogger({ error: report, warn: report, info: quiet, debug: quiet, verbose: quiet })
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': process.env.OTEL_SERVICE_NAME || 'specboard',
        'service.version': version,
        'service.instance.id': node,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new OTLPTraceExporter({ url, timeoutMillis: exportMs }),
          exportTimeoutMillis: exportMs,
        }),
      ],
    })
  }

  async request(request: TracedRequest, answer: () => Promise<TracedAnswer>): Promise<void> {
    const { method, path } = request
    const caller = propagator.extract(ROOT_CONTEXT, request, headers)
    const attributes = { 'http.request.method': method, 'url.path': path }
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller)
    try {
      const { status, route, requestId, agentId } = await this.#requests.run(trace.setSpan(caller, span), answer)
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': status,
        'specboard.request_id': requestId,
        ...(agentId !== undefined && { 'specboard.agent_id': agentId }),
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  /**
   * Creates a span of a call that was answered or refused, within the span of its request; does nothing if the request
   * has none.
   */
  readonly performed = ({ operation, door, status, ms }: PerformedCall): void => {
    const request = this.#requests.getStore()
    if (request === undefined) return
    const end = Date.now()
    const span = this.#tracer.startSpan(
      operation,
      { startTime: end - ms, attributes: { 'specboard.door': door, 'specboard.status': status } },
      request,
    )
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(end)
  }

  /** Sends the remaining spans, unless the collector takes too long. */
  async stop(): Promise<void> {
    await this.#provider.shutdown().catch(() => {})
  }

  get #tracer() {
    return this.#provider.getTracer('specboard')
  }
}

/** The message of an error that the SDK logs as JSON with its stack; otherwise the text itself. */
function messageIn(text: string): string {
  try {
    return String(JSON.parse(text).message)
  } catch {
    return text
  }
}
