/** Monitoring of a running service: metrics and traces, each loaded only if it is enabled. */
import { hostname } from 'node:os'
import { listen, type MetricsText, metricsApp } from '@specboard/http'
import type { Logger } from 'pino'
import type { Metrics } from './metrics/metrics.ts'
import { SettingError } from './setting-sources.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** Creates the metrics if they are enabled; their library is loaded only then. */
export async function metricsOf({ metrics, metricsPort }: Settings): Promise<Metrics | undefined> {
  if (metrics === 'off' && metricsPort === undefined) return undefined
  const { Metrics } = await import('./metrics/metrics.ts')
  return new Metrics()
}

/** Makes traces, where a collector is named; the library is loaded only then. */
export async function tracesOf({ tracesUrl: url, tracesRatio = 1, host, port }: Settings, log: Logger) {
  if (url === undefined) return undefined
  const { Traces } = await import('./tracing/traces.ts')
  const node = `${hostname()} ${host}:${port}`
  return new Traces({ url, ratio: tracesRatio, version, node, onFault: reason => log.warn({ reason }, 'traces') })
}

/** A listener that calls both listeners; if only one is defined, that one; undefined if neither is. */
export function both<Value>(
  one: Listener<Value> | undefined,
  other: Listener<Value> | undefined,
): Listener<Value> | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return value => {
    one(value)
    other(value)
  }
}

type Listener<Value> = (value: Value) => void

/**
 * Opens the port for monitors, where one is set.
 * @throws SettingError if it cannot be used
 */
export async function listenForMonitors({ metricsHost, metricsPort }: Settings) {
  if (metricsPort === undefined) return undefined
  const server = await listen(metricsHost, metricsPort).catch(error => {
    throw new SettingError(
      `SPECBOARD_METRICS_PORT ${metricsPort} cannot be used at ${metricsHost} (${error.message}). Choose another, or stop the program that uses it.`,
      { cause: error },
    )
  })
  return {
    port: server.port,
    /** Answers monitors from now on. */
    answerFrom: (measured: MetricsText) => server.answerWith(metricsApp(measured)),
    stop: () => server.stop(0),
  }
}
