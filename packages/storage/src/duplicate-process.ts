/** The process of `duplicate`: copies a file, by its extents where the file system can share them. Arguments: from, to. */
import './prototypes.ts'
import { closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs'

const [from, to] = process.argv.slice(2) as [string, string]
try {
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  const handle = openSync(to, 'r+')
  fsyncSync(handle)
  closeSync(handle)
} catch (error) {
  process.stderr.write((error as Error).message)
  process.exitCode = 1
}
