// OpenTelemetry traces, if an endpoint is configured. Spans hold names and numbers, and nothing that a caller wrote.
import { type Attributes, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { config } from './config.ts'

let stop = async () => {}

/** The OpenTelemetry libraries read the standard variables themselves: endpoint, headers, sampler, batching and resource attributes. */
export const startTracing = async () => {
  if (!config.hasTraces) return
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const { resourceFromAttributes, detectResources, envDetector } = resources
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'paygraph' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  provider.register()
  stop = () => provider.shutdown()
}

/** Flushes the remaining spans. */
export const stopTracing = () => stop()

const tracer = trace.getTracer('paygraph')

/** Runs `work` in a span of its own. */
export const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
  if (!config.hasTraces) return work()
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

interface RequestSpan {
  /** Spans started inside `work` become children of this request. */
  run(work: () => void): void
  end(name: string, attributes: Attributes, isFailure: boolean): void
}

/** Starts the span of a request, within the caller's trace if `traceparent` names one. Null if tracing is off. */
export const startRequestSpan = (headers: NodeJS.Dict<string | string[]>): RequestSpan | null => {
  if (!config.hasTraces) return null
  const parent = propagation.extract(context.active(), headers)
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent)
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (name, attributes, isFailure) => {
      span.updateName(name).setAttributes(attributes)
      if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
