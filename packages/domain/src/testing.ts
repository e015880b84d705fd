/** Test support for other packages: an S3 store, and the database of a service, including an empty one. */
export { pathsOf } from './delivery/attachments/files/paths.testing.ts'
export { type S3Server, s3Server, whyNoS3 } from './delivery/attachments/files/s3-server.testing.ts'
export { openDatabase } from './schema/database.ts'
export { migratedFolder, putEmptyDatabase } from './schema/empty-database.testing.ts'
