// Traces by OpenTelemetry, only when the environment says where they go. Names and numbers, nothing that a caller wrote.
import { type Attributes, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { config } from './config.ts'

let stop = async () => {}

/** The libraries read the standard variables themselves: endpoint, headers, sampler, batches, name and attributes of the service. */
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

/** Sends what is left. */
export const stopTracing = () => stop()

const tracer = trace.getTracer('paygraph')

/** A step of a request, as long as `work` takes. */
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
  /** Steps of what runs inside belong to this request. */
  run(work: () => void): void
  end(name: string, attributes: Attributes, isFailure: boolean): void
}

/** A request, as part of the caller's trace when its `traceparent` names one. Null when there are no traces. */
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
