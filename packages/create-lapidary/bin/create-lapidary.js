#!/usr/bin/env node
// The command `npm create lapidary`. It stands here, not in dist/, so that npm finds it in a clone that is not built yet.
import '../dist/main.js'
