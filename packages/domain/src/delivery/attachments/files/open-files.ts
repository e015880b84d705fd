import type { Database } from '../../../schema/database.ts'
import { DatabaseFiles } from './database-files.ts'
import type { AttachmentFiles } from './files.ts'
import { FolderFiles } from './folder-files.ts'

/** What decides where the files of attachments lie. */
export interface FilesOptions {
  /** The data folder. */
  readonly folder: string
  /** The address of an S3 store; unless said, they lie where the database does. */
  readonly url?: string | undefined
  /** The database, where it is open: one that nodes share holds the files too. */
  readonly database?: Pick<Database, 'isShared' | 'read' | 'write'> | undefined
  readonly clock?: () => number
  /** Told why an S3 store failed. */
  readonly onFault?: (error: Error) => void
}

/**
 * The files of a service's attachments.
 * @throws TypeError for an address that is none; Error where there are no keys for the store
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
