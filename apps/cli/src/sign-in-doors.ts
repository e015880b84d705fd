import { type OpenedService, Outside } from '@specboard/domain'
import { Authorization, type Provider, Providers } from '@specboard/http'
import type { Logger } from 'pino'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** Signs people in with identity providers; undefined if none are set up. */
export function providersIn(
  providers: readonly Provider[],
  settings: Settings,
  service: OpenedService['service'],
  log: Logger,
): Providers | undefined {
  const { publicUrl, oidcAllowedHosts = [] } = settings
  if (providers.length === 0 || publicUrl === undefined) return undefined
  return new Providers({
    service,
    providers,
    publicUrl,
    outside: new Outside({ clock: service.environment.clock, version }),
    allowedHosts: oidcAllowedHosts,
    onFault: error => log.warn({ err: withoutSecrets(error) }, 'a sign-in provider failed'),
  })
}

/** Lets people connect MCP clients. */
export const authorizationAt = (
  publicUrl: string,
  settings: Settings,
  service: OpenedService['service'],
  log: Logger,
): Authorization =>
  new Authorization({
    service,
    publicUrl,
    outside: new Outside({ clock: service.environment.clock, version }),
    accessMinutes: settings.oauthAccessMinutes ?? 60,
    graceSeconds: settings.oauthRefreshGraceSeconds ?? 60,
    clientHosts: settings.oauthClientHosts ?? [],
    registers: settings.oauthRegistration !== 'off',
    onFault: error => log.error({ err: withoutSecrets(error) }, 'the authorization of a client failed'),
  })

/** What may be logged of a failure at a provider: its class, code and message, and nothing that was sent. */
const withoutSecrets = (error: unknown) =>
  error instanceof Error ? { type: error.name, code: (error as { code?: unknown }).code, message: error.message } : {}
