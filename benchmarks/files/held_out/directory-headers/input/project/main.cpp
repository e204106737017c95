#include "rapidjson/document.h"
