import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isLoopback, type ProviderSettings, SignInFile } from '@specboard/domain'
import type { Provider } from '@specboard/http'
import { errorMessage } from './error-message.ts'
import { SettingError } from './setting-sources.ts'
import type { Settings } from './settings.ts'

const variable = 'SPECBOARD_SIGN_IN_FILE'

/**
 * The identity providers for signing in, with their secrets, from the file in the setting (people 2.1).
 * @throws SettingError that names the faulty member
 */
export function providersOf({ signInFile, publicUrl, oidcAllowedHosts = [] }: Settings): readonly Provider[] {
  if (signInFile === undefined) return []
  if (publicUrl === undefined)
    throw new SettingError(`${variable} needs SPECBOARD_PUBLIC_URL: providers send people back to it.`)
  const { data, error } = SignInFile.safeParse(contentOf(signInFile))
  if (error !== undefined) {
    const [{ path, message }] = error.issues as [(typeof error.issues)[number]]
    throw new SettingError(`${variable}: ${path.join('.') || 'the file'} ${lowered(message)}`)
  }
  return data.providers.map((provider, at) => {
    refuseInsecure(provider, `providers.${at}.issuer`, oidcAllowedHosts)
    return { ...provider, secret: secretOf(provider, dirname(signInFile), `providers.${at}.client_secret_file`) }
  })
}

function contentOf(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingError(`${variable} cannot be read: ${errorMessage(error)}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SettingError(`${variable} is not JSON: ${errorMessage(error)}`)
  }
}

/** Without TLS, anybody on the network path could decide who signs in. */
function refuseInsecure({ issuer }: ProviderSettings, member: string, allowedHosts: readonly string[]): void {
  const { protocol, host, hostname } = new URL(issuer)
  if (protocol === 'https:' || isLoopback(issuer) || allowedHosts.some(one => one === host || one === hostname)) return
  throw new SettingError(
    `${variable}: ${member} must be https. To allow http to this host, name it in SPECBOARD_OIDC_ALLOWED_HOSTS.`,
  )
}

function secretOf({ client_secret_file }: ProviderSettings, folder: string, member: string): string | undefined {
  if (client_secret_file === null) return undefined
  try {
    const secret = readFileSync(resolve(folder, client_secret_file), 'utf8').trim()
    if (secret !== '') return secret
  } catch (error) {
    throw new SettingError(`${variable}: ${member} cannot be read: ${errorMessage(error)}`)
  }
  throw new SettingError(`${variable}: ${member} is empty.`)
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
