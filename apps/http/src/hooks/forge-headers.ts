/** The headers with which each forge signs and identifies its events (git 2). Pure. */
import type { ForgeSignature } from '@specboard/domain'

/** A header of a request; undefined if it is missing. */
type Header = (name: string) => string | undefined

/** The contents of an event's headers. */
export interface ForgeHeaders {
  readonly signature: ForgeSignature | undefined
  readonly deliveryId: string | undefined
  readonly event: string | undefined
}

const signedPrefix = 'sha256='

const hmac = (hex: string | undefined): ForgeSignature | undefined =>
  hex === undefined ? undefined : { kind: 'hmac', hex }

function ofGithub(header: Header): ForgeHeaders {
  const signature = header('x-hub-signature-256')
  return {
    signature: signature?.startsWith(signedPrefix) ? hmac(signature.slice(signedPrefix.length)) : undefined,
    deliveryId: header('x-github-delivery'),
    event: header('x-github-event'),
  }
}

/** If one of the signing headers of Standard Webhooks is present, the signature must be valid. */
function ofGitlab(header: Header): ForgeHeaders {
  const [id, token] = [header('webhook-id'), header('x-gitlab-token')]
  const [timestamp, signatures] = [header('webhook-timestamp'), header('webhook-signature')]
  const isStandard = timestamp !== undefined || signatures !== undefined
  return {
    signature: isStandard
      ? { kind: 'standard', id: id ?? '', timestamp: timestamp ?? '', signatures: signatures ?? '' }
      : token === undefined
        ? undefined
        : { kind: 'token', token },
    // Events that trigger one another share their X-Gitlab-Event-UUID.
    deliveryId: id ?? header('idempotency-key'),
    event: header('x-gitlab-event'),
  }
}

/** The one signature of both headers; Forgejo sends each, and neither may differ. */
const giteaSignature = (header: Header): string | undefined => {
  const [gitea, forgejo] = [header('x-gitea-signature'), header('x-forgejo-signature')]
  const isSame = gitea === undefined || forgejo === undefined || gitea === forgejo
  return isSame ? (gitea ?? forgejo) : undefined
}

/** Gitea also sends GitHub's headers: only its own count. */
const ofGitea = (header: Header): ForgeHeaders => ({
  signature: hmac(giteaSignature(header)),
  deliveryId: header('x-gitea-delivery') ?? header('x-forgejo-delivery'),
  event: header('x-gitea-event') ?? header('x-forgejo-event'),
})

const readers = { github: ofGithub, gitlab: ofGitlab, gitea: ofGitea, forgejo: ofGitea } as const

/** The contents of an event's headers, for a repository on a forge. */
export const forgeHeaders = (forge: keyof typeof readers, header: Header): ForgeHeaders => readers[forge](header)
