import { type DatabasePlace, ownerSigning, SecretKey, writeWithoutLock } from '@specboard/domain'
import { linkSecret, linkToken } from '@specboard/http'

/**
 * A one-time link that signs in the Local Owner within 10 minutes (web 1); works while a server is running. Undefined
 * when there is no owner, or it is inactive.
 */
export async function ownerLink(
  place: DatabasePlace,
  url: string,
  secretKeyFile?: string | undefined,
): Promise<string | undefined> {
  // The folder gets a key only once there is a database.
  const signing = await writeWithoutLock(place, db =>
    ownerSigning(db, SecretKey.of(place.folder, secretKeyFile), linkSecret),
  )
  return signing && `${url}/#${linkToken(signing.secret, signing.binding, signing.agentId, Date.now())}`
}
