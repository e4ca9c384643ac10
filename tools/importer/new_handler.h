/// @file
/// Private to the importer: what happens when C++ runs out of memory.
#ifndef ERI_TOOLS_IMPORTER_NEW_HANDLER_H
#define ERI_TOOLS_IMPORTER_NEW_HANDLER_H

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `handler`, which must not return, where operator new finds no memory. Readers in C++ may swallow the exception
/// that it would throw, or die of it, and either would hide the cause.
void imp_set_new_handler(void (*handler)(void));

#ifdef __cplusplus
}
#endif
#endif
