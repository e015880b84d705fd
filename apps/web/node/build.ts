/** Builds the pages of the web board. Usage: node build.ts FOLDER */
import { publish } from './publish.ts'
import { webFolder } from './sources.ts'

await publish(process.argv[2]!, { root: webFolder })
