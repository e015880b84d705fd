import type { Settings } from './settings.ts'

/** The address of a service that listens on a host and port, with its base path. */
export const urlOf = ({ host, port, basePath = '' }: Pick<Settings, 'host' | 'port' | 'basePath'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`

/** The address under which people reach the service: the public one, if it is set. */
export const peopleUrlOf = (settings: Pick<Settings, 'publicUrl' | 'host' | 'port' | 'basePath'>): string =>
  settings.publicUrl ?? urlOf(settings)
