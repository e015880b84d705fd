/** Builds the guide. Usage: node build-guide.ts FOLDER */
import { join } from 'node:path'
import { publish } from './publish.ts'
import { webFolder } from './sources.ts'

await publish(process.argv[2]!, { configFile: join(webFolder, 'guide/vite.config.ts') })
