import type { Database } from '../../../schema/database.ts'
import { DatabaseFiles } from './database-files.ts'
import type { AttachmentFiles } from './files.ts'
import { FolderFiles } from './folder-files.ts'

/** The options that decide where attachment files are stored. */
export interface FilesOptions {
  /** The data folder. */
  readonly folder: string
  /** The address of an S3 store; by default they are stored where the database is. */
  readonly url?: string | undefined
  /** The open database, if there is one: a shared database holds the files too. */
  readonly database?: Pick<Database, 'isShared' | 'read' | 'write'> | undefined
  readonly clock?: () => number
  /** Called with the reason why an S3 store failed. */
  readonly onFault?: (error: Error) => void
}

/**
 * The attachment files of a service.
 * @throws TypeError for an invalid address; Error if there are no keys for the store
 */
export async function openFiles({
  folder,
  url,
  database,
  clock = Date.now,
  onFault = () => {},
}: FilesOptions): Promise<AttachmentFiles> {
  if (url === undefined) return database?.isShared ? new DatabaseFiles(database, clock) : new FolderFiles(folder)
  const [{ s3Address, s3Credentials }, { S3Client }, { S3Files }] = await Promise.all([
    import('./s3-address.ts'),
    import('./s3-client.ts'),
    import('./s3-files.ts'),
  ])
  const address = s3Address(url)
  await s3Credentials()
  return new S3Files(address, new S3Client(address, s3Credentials, onFault), clock)
}
